# cmake -DSOURCE=.. -DTEMPLATE=.. -DHEADER=.. -P commit.cmake: the commit that is being built, as a header that
# changes only when the commit does. Empty outside of a git checkout.
find_package(Git QUIET)
set(COMMIT "")
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} describe --always --abbrev=10 --dirty --exclude=*
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${TEMPLATE} ${HEADER} @ONLY)
