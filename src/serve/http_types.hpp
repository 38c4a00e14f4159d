// What a handler sees of HTTP, and what it answers with.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace phe::serve {

enum class Method { get, put, post, remove, options, other };

struct Request {
  Method method = Method::other;
  std::string target;  // path and query, as they came
  std::string key;     // Ocp-Apim-Subscription-Key, or a bearer token
  std::string call;    // x-ms-client-request-id
  std::string origin;  // of a browser
  std::string body;
};

struct Response {
  int status = 200;
  std::string body = {};
  std::string_view content_type = "application/json; charset=utf-8";
  std::string_view error_code = {};  // also sent as x-ms-error-code
  std::string location = {};
  std::string original_url = {};  // x-ms-original-url
  int retry_after = 0;            // seconds; 0: not said
  bool preflight = false;         // answers OPTIONS
  std::string_view headers = {};  // more of them, whole lines
};

// May be called by any thread, once.
using Respond = std::function<void(Response&&)>;
// Called in the threads of the server: must not block.
using Handler = std::function<void(Request&&, Respond)>;

}  // namespace phe::serve
