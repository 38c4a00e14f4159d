# cmake --install: the program with its manual, the library with its headers, and how other projects
# find it (find_package(phe) and pkg-config). Everything is relative to the prefix, so it can be moved.
# Components: program, and development for whoever compiles against the library.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/phe)

install(TARGETS phe phe_core EXPORT phe-targets)
install(DIRECTORY include/phe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/include/phe/version.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/phe)

install(EXPORT phe-targets NAMESPACE phe:: DESTINATION ${package_dir})
configure_package_config_file(cmake/phe-config.cmake.in phe-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(phe-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/phe-config.cmake ${PROJECT_BINARY_DIR}/phe-config-version.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(pc_xgboost)
if(PHE_BUILD_XGBOOST)
  set(pc_xgboost " -lxgboost")
endif()
configure_file(cmake/phe.pc.in phe.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/phe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
