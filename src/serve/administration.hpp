// The calls of the API that are not made for each visitor: configuration, policy, model, logs,
// evaluations. Each is a function from the call to its answer, and may take a while.
#pragma once

#include "serve/routes.hpp"

namespace phe::serve {

Response get_configuration(Call& call);
Response put_configuration(Call& call);
Response get_policy(Call& call);
Response put_policy(Call& call);
Response delete_policy(Call& call);
Response get_model(Call& call);
Response put_model(Call& call);
Response delete_model(Call& call);
Response get_model_properties(Call& call);
Response get_log_properties(Call& call);
Response delete_logs(Call& call);

// evaluations.cpp
Response get_evaluations(Call& call);
Response post_evaluation(Call& call);
Response get_evaluation(Call& call);
Response delete_evaluation(Call& call);
Response apply_from_evaluation(Call& call);

}  // namespace phe::serve
