#include "serve/faults.hpp"

#include "serve/json_text.hpp"

namespace phe::serve {

Response refuse(int status, std::string_view code, std::string_view message) {
  Response response{.status = status, .error_code = code};
  response.body = "{\"error\":{\"code\":";
  append_json(code, response.body);
  response.body += ",\"message\":";
  append_json(message, response.body);
  response.body += "}}";
  if (status == 429) response.retry_after = 1;
  return response;
}

Response refuse(Fault fault, std::string_view message) {
  switch (fault) {
#define PHE_SERVE_CASE(name, status, code) \
  case Fault::name:                        \
    return refuse(status, code, message);
    PHE_SERVE_FAULTS(PHE_SERVE_CASE)
#undef PHE_SERVE_CASE
  }
  return {};
}

}  // namespace phe::serve
