# Whether the pages of phe-serve and phe view can be built: their charts are those of Debian's
# libjs-dygraphs, which become part of the programs.
find_path(PHE_DYGRAPHS dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH)
if(PHE_DYGRAPHS)
  set(PHE_BUILD_PAGE ON)
else()
  set(PHE_BUILD_PAGE OFF)
  message(STATUS "phe view is left out: it needs the package libjs-dygraphs")
endif()
