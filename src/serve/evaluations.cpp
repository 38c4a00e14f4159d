#include "serve/administration.hpp"
#include "serve/faults.hpp"

namespace phe::serve {

Response get_evaluations(Call&) { return {.status = 200, .body = "[]"}; }
Response post_evaluation(Call&) { return refuse(Fault::not_built, "to come"); }
Response get_evaluation(Call&) {
  return refuse(Fault::no_evaluation, "there is no such evaluation");
}
Response delete_evaluation(Call&) { return {.status = 204}; }
Response apply_from_evaluation(Call&) { return refuse(Fault::not_built, "to come"); }

}  // namespace phe::serve
