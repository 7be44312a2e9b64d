#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "analysis/text/safe_text.hpp"
#include "analysis/text/toml_table.hpp"
#include "app/scene/lesson/lesson_figures.hpp"
#include "app/scene/lesson/lesson_prose.hpp"

namespace rooftile::scene {
namespace {

constexpr std::size_t most_text = 256 << 10;  // [B] a bundled lesson has 5 KB
constexpr std::size_t most_steps = 60;        // their dots fit on one line
constexpr double most_picture_steps = 1e6;
constexpr const char* chart_word = "chart";

std::string stage_words() {
  std::vector<std::string> words{chart_word};
  std::ranges::transform(panels, std::back_inserter(words), &PanelWords::word);
  return fmt::format("{}", fmt::join(words, ", "));
}

// Reads the block of one step. Mistakes are told at their line.
class StepReader {
 public:
  StepReader(const TomlTable& table, LessonStep& step, const std::vector<Manifest>& catalogue,
             const Manifest* before)
      : table_(table), step_(step), catalogue_(catalogue), kernel_(before) {}

  // Returns the kernel that this step is about; null: none was named so far.
  const Manifest* read() {
    table_.only({"kernel", "gpu", "dials", "dial", "caches", "level", "show", "then_show", "hide", "question",
                 "options", "number", "tolerance", "click", "launch", "step"});
    read_kernel();
    read_dials();
    read_view();
    read_question();
    step_.hides = table_.boolean("hide", step_.question.has_value());
    if (step_.hides && !step_.question) {
      table_.tell("hide", "nothing would be shown again: only a step with a question hides figures");
    }
    return kernel_;
  }

 private:
  void read_kernel() {
    step_.kernel = table_.string("kernel", "");
    step_.gpu = table_.string("gpu", "");
    if (!step_.kernel.empty() && !(kernel_ = known_kernel(catalogue_, step_.kernel))) {
      table_.tell("kernel", fmt::format("no kernel is called '{}'", step_.kernel));
    }
    step_.turns = table_.has("kernel") || table_.has("dials");
  }

  void read_dials() {
    const auto dials = table_.has("dials") ? table_.table("dials") : std::nullopt;
    if (!dials) {
      return;
    }
    if (!kernel_) {
      return table_.tell("dials", "of which kernel? Name it with kernel = \"...\"");
    }
    for (const std::string_view key : dials->keys()) {
      read_dial(*dials, std::string(key));
    }
    if (const auto reason = why_illegal(*kernel_, complete(*kernel_, step_.dials))) {
      table_.tell("dials", *reason);
    }
  }

  void read_dial(const TomlTable& dials, const std::string& name) {
    const double value = dials.number(name, {});
    const Parameter* parameter = kernel_->parameter(name);
    if (!parameter) {
      dials.tell(name, fmt::format("{} has no parameter {}. It has {}.", kernel_->name, name,
                                   fmt::join(parameter_names(), ", ")));
    } else if (!parameter->accepts(value)) {
      dials.tell(name, fmt::format("{} does not take {}={}", kernel_->name, name, number(value)));
    } else {
      step_.dials[name] = value;
    }
  }

  void read_view() {
    step_.dial = table_.string("dial", "");
    if (!step_.dial.empty() && !(kernel_ && kernel_->parameter(step_.dial))) {
      table_.tell("dial", fmt::format("the kernel has no parameter '{}'", step_.dial));
    }
    if (table_.has("caches")) {
      const std::string caches = table_.string("caches", "");
      step_.caches = caches == "warm" ? Caches::warm : Caches::cold;
      if (caches != "warm" && caches != "cold") {
        table_.tell("caches", "expected \"cold\" or \"warm\"");
      }
    }
    if (table_.has("level") && !(step_.level = memory_level(table_.string("level", "")))) {
      table_.tell("level", "expected \"dram\", \"l2\", \"l1\" or \"shared\"");
    }
    if (table_.has("step")) {
      step_.step = static_cast<std::size_t>(table_.number("step", {1, most_picture_steps})) - 1;
    }
    step_.stage = read_stage("show");
    step_.revealed = read_stage("then_show");
  }

  std::optional<Stage> read_stage(const char* key) const {
    const std::string word = table_.string(key, "");
    if (word.empty() || word == chart_word) {
      return word.empty() ? std::nullopt : std::optional(Stage{});
    }
    const auto panel =
        std::ranges::find(panels, word, [](const PanelWords& each) { return std::string(each.word); });
    if (panel == std::end(panels)) {
      table_.tell(key, fmt::format("expected one of {}", stage_words()));
      return std::nullopt;
    }
    return Stage{panel->panel};
  }

  void read_question() {
    LessonQuestion question;
    question.text = visible_text(table_.string("question", ""));
    for (const TomlTable& option : table_.tables("options", "[{ text = \"...\", when = \"...\" }, ...]")) {
      option.only({"text", "when"});
      question.options.push_back(
          {visible_text(option.string("text")), expression(option, "when").value_or(Expression{})});
    }
    question.number = expression(table_, "number");
    question.tolerance = table_.has("tolerance") ? table_.number("tolerance", {0, 10}) : question.tolerance;
    question.click = expression(table_, "click", picked_figure_names());
    question.launch = expression(table_, "launch");
    const int ways = !question.options.empty() + question.number.has_value() + question.click.has_value() +
                     question.launch.has_value();
    if (question.text.empty() && ways == 0) {
      return;
    }
    if (question.text.empty() || ways != 1) {
      return table_.tell({"question", "options", "number", "click", "launch"},
                         "a question has a text, and one of options, number, click and launch to answer it");
    }
    expect_answerable(question);
    step_.question = std::move(question);
  }

  void expect_answerable(const LessonQuestion& question) const {
    const auto can_be_right = [](const AnswerOption& option) { return option.when.text() != "0"; };
    if (!question.options.empty() && std::ranges::none_of(question.options, can_be_right)) {
      table_.tell("options", "no option can be right: give one of them a condition with when = \"...\"");
    }
    constexpr Panel with_cells[] = {Panel::banks, Panel::sectors, Panel::tile};
    const bool has_cells = step_.stage && step_.stage->panel && is_one_of(with_cells, *step_.stage->panel);
    if (question.click && !has_cells) {
      table_.tell("click", "no cell can be clicked on: show = \"banks\", \"sectors\" or \"tile\" has cells");
    }
  }

  // more: names beside those of every expression.
  std::optional<Expression> expression(const TomlTable& table, const char* key,
                                       const std::vector<std::string>& more = {}) const {
    const auto text = table.has(key) ? table.formula(key) : std::nullopt;
    if (!text) {
      return std::nullopt;
    }
    std::vector<std::string> names = lesson_figure_names();
    std::ranges::move(parameter_names(), std::back_inserter(names));
    std::ranges::copy(more, std::back_inserter(names));
    try {
      return Expression(*text, names);
    } catch (const Error& error) {
      table.tell(key, error.what());
      return std::nullopt;
    }
  }

  std::vector<std::string> parameter_names() const {
    std::vector<std::string> names;
    if (kernel_) {
      std::ranges::transform(kernel_->parameters, std::back_inserter(names), &Parameter::name);
    }
    return names;
  }

  const TomlTable& table_;
  LessonStep& step_;
  const std::vector<Manifest>& catalogue_;
  const Manifest* kernel_;
};

// Reads the steps in their order, since a step goes on with the kernel of the step before.
class LessonReader {
 public:
  LessonReader(const std::filesystem::path& file, const std::vector<Manifest>& catalogue)
      : file_(file), catalogue_(catalogue) {}

  void read(const std::vector<LessonSection>& sections) {
    if (sections.empty() || sections.front().title.empty()) {
      mistakes_.add(file_, 1, "a lesson begins with its title: # Bank conflicts");
      return;
    }
    const std::size_t steps = sections.size() - 1;
    if (steps == 0 || steps > most_steps) {
      mistakes_.add(
          file_, 1,
          fmt::format("a lesson has 1 to {} steps (## A column of the tile), this has {}", most_steps, steps));
      return;
    }
    lesson_.title = sections.front().title;
    lesson_.about = sections.front().before;
    for (const LessonSection& section : std::span(sections).subspan(1)) {
      read_step(section);
    }
  }

  Lesson take() {
    const auto sentences = mistakes_.sentences();
    if (!sentences.empty()) {
      throw Error(fmt::format("{}", fmt::join(sentences, "\n")));
    }
    lesson_.id = file_.stem().string();
    return std::move(lesson_);
  }

 private:
  void read_step(const LessonSection& section) {
    LessonStep& step = lesson_.steps.emplace_back();
    step.title = section.title;
    step.text = section.before;
    step.after = section.after;
    if (section.second_line) {
      mistakes_.add(file_, section.second_line, "a step has one block of rooftile");
    }
    if (section.directive_line) {
      read_block(section, step);
    }
    if (!step.question) {  // nothing to wait for
      std::ranges::move(step.after, std::back_inserter(step.text));
      step.after.clear();
    }
  }

  // The parser counts lines: so many empty ones stand for the text above.
  void read_block(const LessonSection& section, LessonStep& step) {
    try {
      const toml::table parsed =
          parse_toml(std::string(section.directive_line - 1, '\n') + section.directive, file_);
      kernel_ = StepReader(TomlTable(parsed, file_, mistakes_), step, catalogue_, kernel_).read();
    } catch (const Error& error) {
      mistakes_.add(file_, section.directive_line, error.what());
    }
  }

  std::filesystem::path file_;
  const std::vector<Manifest>& catalogue_;
  TomlMistakes mistakes_;
  Lesson lesson_;
  const Manifest* kernel_ = nullptr;
};

}  // namespace

Lesson read_lesson(std::string_view text, const std::filesystem::path& file,
                   const std::vector<Manifest>& catalogue) {
  if (text.size() > most_text) {
    throw Error(fmt::format("{}: a lesson of {} kB; at most {} kB are read", file.string(), text.size() / 1024,
                            most_text / 1024));
  }
  LessonReader reader(file, catalogue);
  reader.read(lesson_sections(text));
  Lesson lesson = reader.take();
  lesson.file_text = text;
  return lesson;
}

}  // namespace rooftile::scene
