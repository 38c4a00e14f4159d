# cpack (make package): Debian packages. phe has the program, its manual and completions; phe-serve, which needs
# phe, the service with its systemd unit; libphe-dev the static library, with what a program that links it must
# link as well.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME phe)
set(CPACK_PACKAGE_CONTACT "The maintainers of phe <maintainers@phe.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
if(PHE_BUILD_SERVE)
  list(APPEND CPACK_COMPONENTS_ALL service)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME phe)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"Simulates policies for linear, logistic and multi-armed bandits, draws and
compares their regret, and reproduces the experiments of Perturbed-History
Exploration in Stochastic Linear Bandits (UAI 2019).")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libphe-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libhwy-dev, libfmt-dev, libtomlplusplus-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Headers, static library, CMake package and pkg-config file of the learners and
the simulator behind phe.")

set(CPACK_DEBIAN_SERVICE_PACKAGE_NAME phe-serve)
set(CPACK_DEBIAN_SERVICE_PACKAGE_SECTION web)
set(CPACK_DEBIAN_SERVICE_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SERVICE_PACKAGE_DEPENDS "phe (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SERVICE_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(service_system ${PROJECT_SOURCE_DIR}/apps/phe-serve/system)
file(WRITE ${PROJECT_BINARY_DIR}/conffiles "/etc/phe-serve/phe-serve.toml\n")
set(CPACK_DEBIAN_SERVICE_PACKAGE_CONTROL_EXTRA
  "${service_system}/postinst;${service_system}/prerm;${PROJECT_BINARY_DIR}/conffiles")
set(CPACK_COMPONENT_SERVICE_DESCRIPTION
"Decisions over HTTP, learnt from their rewards by perturbed-history exploration,
behind the API of Azure Personalizer; with a page that shows it learning.")

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/phe-serve RENAME copyright COMPONENT service)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/phe RENAME copyright COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libphe-dev RENAME copyright
  COMPONENT development)
include(CPack)
