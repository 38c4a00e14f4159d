#include "serve/model_file.hpp"

#include <nlohmann/json.hpp>

#include "serve/secrets.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

constexpr std::string_view first_line = "phe-model 1\n";
constexpr std::size_t signature_size = 32;

}  // namespace

std::string write_model_file(const ModelFile& model, std::string_view secret) {
  const nlohmann::json head = {
      {"policy", model.policy}, {"dimension", model.dimension}, {"learnt", model.learnt}};
  std::string bytes(first_line);
  bytes += head.dump() + "\n" + model.state;
  return bytes + keyed_digest(secret, bytes);
}

Result<ModelFile> read_model_file(std::string_view bytes) {
  if (!bytes.starts_with(first_line)) return invalid("not a model: it must begin with phe-model 1");
  if (bytes.size() < first_line.size() + signature_size) return invalid("the model is cut short");
  std::string_view rest = bytes.substr(first_line.size());
  rest.remove_suffix(signature_size);
  const auto end = rest.find('\n');
  const auto head = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
  if (end == std::string_view::npos || !head.is_object() || !head.contains("policy") ||
      !head["policy"].is_string() || !head.contains("dimension") ||
      !head["dimension"].is_number_unsigned() || !head.contains("learnt") ||
      !head["learnt"].is_number_integer())
    return invalid("not a model: its second line must tell policy, dimension and learnt");
  return ModelFile{head["policy"], head["dimension"], head["learnt"],
                   std::string(rest.substr(end + 1))};
}

bool signed_by(std::string_view bytes, std::string_view secret) {
  if (bytes.size() < signature_size) return false;
  const auto text = bytes.substr(0, bytes.size() - signature_size);
  return same_secret(keyed_digest(secret, text), bytes.substr(text.size()));
}

}  // namespace phe::serve
