# Whether the policy xgbphe can be built: XGBoost's C interface (tools/packages.txt, purpose xgboost) is
# wanted by nothing else.
find_path(XGBOOST_INCLUDE_DIR xgboost/c_api.h)
find_library(XGBOOST_LIBRARY xgboost)
if(XGBOOST_INCLUDE_DIR AND XGBOOST_LIBRARY)
  set(PHE_BUILD_XGBOOST ON)
else()
  set(PHE_BUILD_XGBOOST OFF)
  message(STATUS "the policy xgbphe is left out: it needs the packages of `tools/setup.sh xgboost`")
endif()
