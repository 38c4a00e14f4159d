# Everything the library and the program stand on; each is a Debian package (tools/packages.txt).
# Test and benchmark frameworks are looked up where they are used.

find_package(Threads REQUIRED)
find_package(hwy REQUIRED)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(simdjson REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
