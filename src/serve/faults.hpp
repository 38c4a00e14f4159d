// Every error that the service answers with, a row each: name, status, code.
#pragma once

#include <string>
#include <string_view>

#include "serve/http_types.hpp"

namespace phe::serve {

#define PHE_SERVE_FAULTS(X)                            \
  X(bad_rank, 400, "InvalidRankRequest")               \
  X(bad_reward, 400, "InvalidRewardRequest")           \
  X(bad_event_id, 400, "InvalidEventIdToActivate")     \
  X(bad_request, 400, "InvalidRequest")                \
  X(bad_policy, 400, "InvalidPolicyConfiguration")     \
  X(multi_slot, 400, "InvalidMultiSlotApiAccess")      \
  X(too_large, 400, "PayloadSizeExceeded")             \
  X(bad_model, 400, "InvalidModelImportFormat")        \
  X(bad_signature, 400, "InvalidModelImportSignature") \
  X(no_logs_in_range, 400, "NoLogsExistInDateRange")   \
  X(bad_evaluation, 400, "InvalidEvaluationContract")  \
  X(unauthorised, 401, "Unauthorized")                 \
  X(not_found, 404, "ResourceNotFound")                \
  X(no_logs, 404, "LogsPropertiesNotFound")            \
  X(no_evaluation, 404, "EvaluationNotFound")          \
  X(wrong_method, 405, "MethodNotAllowed")             \
  X(timed_out, 408, "RequestTimeout")                  \
  X(overloaded, 429, "TooManyRequests")                \
  X(not_stored, 429, "LogUnavailable")                 \
  X(internal, 500, "InternalServerError")              \
  X(not_built, 501, "NotImplemented")

enum class Fault {
#define PHE_SERVE_NAME(name, status, code) name,
  PHE_SERVE_FAULTS(PHE_SERVE_NAME)
#undef PHE_SERVE_NAME
};

// {"error":{"code":"..","message":".."}}
Response refuse(Fault fault, std::string_view message);
Response refuse(int status, std::string_view code, std::string_view message);

}  // namespace phe::serve
