# Whether phe-serve can be built: its packages (tools/packages.txt, purpose serve) are wanted by nothing
# else, so that the program alone needs none of them.
find_package(Boost 1.74 QUIET)
find_package(OpenSSL 3 QUIET)
find_package(SQLite3 QUIET)
find_path(HIREDIS_INCLUDE hiredis/hiredis.h)
find_library(HIREDIS_LIBRARY hiredis)
if(Boost_FOUND AND OpenSSL_FOUND AND SQLite3_FOUND AND HIREDIS_INCLUDE AND HIREDIS_LIBRARY AND PHE_BUILD_PAGE)
  set(PHE_BUILD_SERVE ON)
else()
  set(PHE_BUILD_SERVE OFF)
  message(STATUS "phe-serve is left out: it needs the packages of `tools/setup.sh serve`")
endif()
