// All routes on one page: routes.cpp.
#pragma once

#include <memory>

#include "serve/application.hpp"
#include "serve/http_types.hpp"
#include "serve/office.hpp"
#include "serve/path.hpp"

namespace phe::serve {

struct Call {
  Path path;
  Request request;
  std::shared_ptr<Application> app;
  Office& office;
  Office& evaluator;  // for what takes longer still
  Respond respond;
};

void route(Call&& call);

}  // namespace phe::serve
