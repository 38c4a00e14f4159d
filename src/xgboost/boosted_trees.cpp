#include "xgboost/boosted_trees.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include "support/error.hpp"

namespace phe {

namespace {

struct FreeMatrix {
  void operator()(void* matrix) const noexcept { XGDMatrixFree(matrix); }
};
struct FreeBooster {
  void operator()(void* booster) const noexcept { XGBoosterFree(booster); }
};
using Matrix = std::unique_ptr<void, FreeMatrix>;
using Booster = std::unique_ptr<void, FreeBooster>;

// What a call of the C interface returned: 0, or else XGBoost knows why.
Result<void> told(int status) {
  if (status == 0) return {};
  return invalid("XGBoost: {}", XGBGetLastError());
}

// Its matrices have single precision. Trees see only the order of features.
float narrow(double x) noexcept {
  constexpr double largest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(x, -largest, largest));
}

class BoostedTrees final : public Oracle {
 public:
  explicit BoostedTrees(const TreeOptions& options) : options_(options) {}

  Result<void> fit(const PerturbedRows& rows, Rng& rng) override {
    auto matrix = training_matrix(rows);
    if (!matrix) return matrix.error();
    DMatrixHandle handle = matrix->get();
    BoosterHandle made = nullptr;
    if (auto done = told(XGBoosterCreate(&handle, 1, &made)); !done) return done;
    booster_.reset(made);
    if (auto done = set_parameters(rng); !done) return done;
    for (std::uint64_t tree = 0; tree < options_.trees; ++tree)
      if (auto done = told(XGBoosterUpdateOneIter(made, static_cast<int>(tree), handle)); !done)
        return done;
    return {};
  }

  Result<void> score(const Actions& actions, std::vector<double>& scores) override {
    features_.resize(actions.features.size());
    std::ranges::transform(actions.features, features_.begin(), narrow);
    const std::string data =
        fmt::format(R"({{"data":[{},true],"shape":[{},{}],"typestr":"<f4","version":3}})",
                    reinterpret_cast<std::uintptr_t>(features_.data()), actions.count,
                    actions.features.size() / actions.count);
    constexpr auto how = R"({"type":0,"training":false,"iteration_begin":0,"iteration_end":0,)"
                         R"("strict_shape":false,"cache_id":0,"missing":NaN})";
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* values = nullptr;
    if (auto done = told(XGBoosterPredictFromDense(booster_.get(), data.c_str(), how, nullptr,
                                                   &shape, &dimensions, &values));
        !done)
      return done;
    scores.assign(values, values + shape[0]);
    return {};
  }

 private:
  Result<Matrix> training_matrix(const PerturbedRows& rows) {
    features_.clear();
    targets_.clear();
    weights_.clear();
    double sum = 0.0;
    double weight = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const PerturbedRow row = rows[i];
      for (const double x : row.features) features_.push_back(narrow(x));
      targets_.push_back(narrow(row.mean()));
      weights_.push_back(narrow(row.weight));
      sum += row.perturbed_sum;
      weight += row.weight;
    }
    mean_ = sum / weight;
    DMatrixHandle made = nullptr;
    if (auto done = told(XGDMatrixCreateFromMat(features_.data(), rows.size(), rows.dimension(),
                                                std::numeric_limits<float>::quiet_NaN(), &made));
        !done)
      return done.error();
    Matrix matrix(made);
    if (auto done = told(XGDMatrixSetFloatInfo(made, "label", targets_.data(), targets_.size()));
        !done)
      return done.error();
    if (auto done = told(XGDMatrixSetFloatInfo(made, "weight", weights_.data(), weights_.size()));
        !done)
      return done.error();
    return matrix;
  }

  Result<void> set_parameters(Rng& rng) {
    const std::pair<const char*, std::string> parameters[] = {
        {"objective", "reg:squarederror"},
        {"tree_method", "exact"},
        {"nthread", "1"},
        {"verbosity", "0"},
        {"seed", fmt::format("{}", rng() >> 33)},
        {"base_score", fmt::format("{}", mean_)},
        {"max_depth", fmt::format("{}", options_.depth)},
        {"eta", fmt::format("{}", options_.rate)},
        {"lambda", fmt::format("{}", options_.ridge)},
        {"min_child_weight", fmt::format("{}", options_.child_weight)}};
    for (const auto& [name, value] : parameters)
      if (auto done = told(XGBoosterSetParam(booster_.get(), name, value.c_str())); !done)
        return done;
    return {};
  }

  TreeOptions options_;
  Booster booster_;
  double mean_ = 0.0;  // of all targets, where the first tree begins
  std::vector<float> features_, targets_, weights_;
};

}  // namespace

MakeOracle boosted_trees(const TreeOptions& options) {
  return [options] { return std::make_unique<BoostedTrees>(options); };
}

}  // namespace phe
