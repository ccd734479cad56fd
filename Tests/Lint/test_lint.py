"""The lint must report each fault that it is made for: each test plants one in a small package."""

import os
import re
import tempfile
import unittest

import imports
import lint
import papers
import style
import testable
import waiting


def package(files, **targets):
    """Faults found in a package of `files`; `targets` maps a name to its dependencies."""
    with tempfile.TemporaryDirectory() as root:
        described = []
        for name, dependencies in targets.items():
            folder = ("Tests/" if name.endswith("Tests") else "Sources/") + name
            os.makedirs(os.path.join(root, folder))
            sources = [f for f in files if f.startswith(name + "/")]
            for source in sources:
                with open(os.path.join(root, folder, source.split("/")[1]), "w") as file:
                    file.write(files[source])
            described.append({
                "name": name, "path": folder, "sources": [s.split("/")[1] for s in sources],
                "target_dependencies": dependencies})
        return lint.check(root, {"targets": described})


class TestableTests(unittest.TestCase):
    """`PURE` in testable.py lists the internal types and functions that tests may reach by `@testable import`."""

    def faults(self, test, source="struct Queue {}\n", names="Queue"):
        return list(testable.testable_faults([("Tests/A.swift", test)], {"M": source}, {"M": names}))

    def test_a_testable_import_in_a_file_that_names_a_listed_type_passes(self):
        for source in ("struct Queue {}\n", "enum Queue {}\n", "final class Queue {}\n",
                       "extension A {\n    static func Queue() {}\n}\n"):
            self.assertEqual(self.faults("import B\n@testable import M\nvar queue = Queue()\n", source), [], source)
        self.assertEqual(self.faults("import M\n", names=""), [])

    def test_a_testable_import_in_a_file_that_names_no_listed_type_fails(self):
        for test in ("@testable import M\nlet a = Engine()  // Queue\n", "@testable import M\nlet a = Queues()\n"):
            faults = self.faults(test, names="")
            self.assertEqual(len(faults), 1, test)
            self.assertIn("Tests/A.swift:1: `@testable`", faults[0])
        self.assertEqual(len(self.faults("@testable import Other\nlet a = Queue()\n", names="")), 1)

    def test_a_listed_type_that_is_not_internal_or_not_tested_fails(self):
        test = "@testable import M\nlet a = Queue()\n"
        for source in ("package struct Queue {}\n", "actor Queue {}\n", "private struct Queue {}\n", ""):
            self.assertEqual(
                self.faults(test, source),
                ["Tests/Lint/testable.py: Queue is no internal type or function of M"], source)
        faults = self.faults("import M\nlet a = Queue()\n")
        self.assertEqual(faults, ["Tests/Lint/testable.py: no file with `@testable import M` names Queue"])


class TracerTests(unittest.TestCase):
    """`TRACERS` in lint.py has words of the code, and how many source files may have each word."""

    def test_a_word_in_more_source_files_than_its_limit_fails(self):
        files = [("Sources/A.swift", "let word = 1"), ("Sources/B.swift", "let word = 2"), ("Sources/C.swift", "")]
        self.assertEqual(list(lint.tracer_faults(files, {"word": 2})), [])
        faults = list(lint.tracer_faults(files, {"word": 1}))
        self.assertEqual(len(faults), 1)
        self.assertIn("2 source files name word, at most 1", faults[0])
        self.assertIn("Sources/B.swift", faults[0])


class TestNameTests(unittest.TestCase):
    def test_a_test_without_a_raw_identifier_or_with_a_second_name_fails(self):
        for text in ["@Test func itIsSo() {}", '@Test("It is so") func `it is so`() {}',
                     '@Test(\n    "It is so",\n    arguments: ["{`"])\nfunc so(text: String) {}']:
            faults = list(style.test_name_faults("Tests/A.swift", text))
            self.assertEqual(len(faults), 1, text)
            self.assertIn("func `subject action outcome`()", faults[0])

    def test_a_raw_identifier_and_a_helper_pass(self):
        text = '@Test func `it is so`() {}\n@Test(arguments: ["{`"])\nfunc `it was so`() {}\nfunc helper() {}'
        self.assertEqual(list(style.test_name_faults("Tests/A.swift", text)), [])


class EscapingTests(unittest.TestCase):
    def faults(self, path, line, target="tocsin"):
        return list(style.escaping_faults(path, line, target))

    def test_a_comparison_of_characters_in_the_folder_escaping_fails(self):
        place = "Sources/NotificationModel/Escaping/A.swift"
        for line in ["text.replacing(\"'\", with: x)", "if text.hasPrefix(\"'\")",
                     "let quote: Character = x", "text.split(separator: x)"]:
            self.assertEqual(len(self.faults(place, line)), 1, line)
        self.assertEqual(self.faults(place, "text.replacingScalars { $0 == x ? y : nil }"), [])

    def test_a_loop_over_the_characters_of_a_text_fails(self):
        place = "Sources/tocsin/A.swift"
        self.assertEqual(len(self.faults(place, "for character in text {")), 1)
        self.assertEqual(self.faults(place, "for character in text.unicodeScalars {"), [])

    def test_a_function_that_escapes_a_text_outside_of_the_folder_escaping_fails(self):
        line = "static func quoted(_ text: String) -> String {"
        self.assertEqual(len(self.faults("Sources/tocsin/A.swift", line)), 1)
        for place, target in [("Sources/NotificationModel/Escaping/A.swift", "NotificationModel"),
                              ("Sources/DesktopBus/A.swift", "DesktopBus")]:
            self.assertEqual(self.faults(place, line, target), [])


class ImportTests(unittest.TestCase):
    def test_a_declared_import_passes(self):
        self.assertEqual(package({"Other/a.swift": "public import NotificationModel\n"},
                                 Other=["NotificationModel"], NotificationModel=[]), [])

    def test_an_undeclared_import_fails(self):
        faults = package({"Other/a.swift": "\nimport NotificationModel\n"},
                         Other=[], NotificationModel=[])
        self.assertEqual(faults, [
            "Sources/Other/a.swift:2: Other imports NotificationModel "
            "but does not declare it in Package.swift"])

    def test_every_spelling_of_an_import_is_seen(self):
        for line in ["@testable import X", "internal import X", "import struct X.Y",
                     "@preconcurrency public import X", "  import X"]:
            self.assertEqual([m for _, m in imports.imports(line)], ["X"], line)

    def test_imports_in_comments_and_strings_do_not_count(self):
        text = '// import X\n/* \nimport Y\n*/\nlet s = """\nimport Z\n"""\n'
        self.assertEqual(list(imports.imports(text)), [])

    def test_a_forbidden_import_fails_even_when_declared(self):
        faults = package({"Freedesktop/a.swift": "import NotificationEngine\n"},
                         Freedesktop=["NotificationEngine"], NotificationEngine=[])
        self.assertEqual(len(faults), 2)
        self.assertIn("Package.swift: Freedesktop depends on NotificationEngine", faults[0])
        self.assertIn("a.swift:1: Freedesktop imports NotificationEngine", faults[1])

    def test_a_forbidden_dependency_through_another_target_fails(self):
        faults = package({}, tocsin=["Middle"], Middle=["NotificationEngine"],
                         NotificationEngine=[])
        self.assertEqual(len(faults), 1)
        self.assertIn("tocsin depends on NotificationEngine", faults[0])

    def test_an_import_of_foundation_in_a_target_that_must_stay_small_fails(self):
        """`NO_FOUNDATION` in imports.py lists these targets."""
        faults = package({"Reactor/a.swift": "internal import Foundation\n"}, Reactor=[])
        self.assertEqual(len(faults), 1)
        self.assertEqual(package({"tocsind/a.swift": "import Foundation\n"}, tocsind=[]), [])

    def test_a_module_reserved_for_one_target_is_refused_elsewhere(self):
        faults = package({"tocsind/a.swift": "import CDesktopBus\n"}, tocsind=["CDesktopBus"])
        self.assertEqual(len(faults), 1)
        self.assertIn("only DesktopBus may", faults[0])


class LinkTests(unittest.TestCase):
    def faults(self, readme, article=""):
        with tempfile.TemporaryDirectory() as root:
            catalog = "Sources/UserNotifications/UserNotifications.docc"
            os.makedirs(os.path.join(root, catalog))
            for name, text in {"README.md": readme, f"{catalog}/A.md": article}.items():
                with open(os.path.join(root, name), "w") as file:
                    file.write(text)
            return list(papers.link_faults(root))

    def test_links_to_files_and_to_other_places_pass(self):
        readme = "[A](Sources/UserNotifications/UserNotifications.docc/A.md) [below](#install)"
        self.assertEqual(self.faults(readme, "[R](../../../README.md) ![](Picture)"), [])
        self.assertEqual(self.faults("[site](https://example.org/a)"), [])

    def test_a_link_to_a_file_that_is_not_there_fails(self):
        self.assertEqual(self.faults("\n[B](Sources/B.md)"), ["README.md:2: there is no Sources/B.md"])
        self.assertEqual(len(self.faults("", "[B](../B.swift)")), 1)


class FaultTableTests(unittest.TestCase):
    def faults(self, row, count=0):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "Tests/ATests"))
            texts = {"Makefile": "test: x\n\ttrue\n", "Tests/Faults.md": row + "\n",
                     "Tests/ATests/a.swift": "struct ATests {\n    @Test(arguments: [1])\n"
                     "    func itWorks(_ a: Int) {}\n"
                     "    @Test func `a request with a NUL, sent twice, is refused`()\n"
                     "        async throws\n    {}\n}\n"}
            for name, text in texts.items():
                with open(os.path.join(root, name), "w") as file:
                    file.write(text)
            return list(papers.fault_table_faults(root, count=count))

    def test_tests_and_targets_that_are_there_pass(self):
        self.assertEqual(self.faults("| 1 | It dies | `ATests/itWorks`, `make test` |"), [])
        self.assertEqual(self.faults("| # | Fault | Tests |\n|---|---|---|"), [])

    def test_a_row_that_names_a_test_by_its_raw_identifier_passes(self):
        name = "ATests/a request with a NUL, sent twice, is refused"
        self.assertEqual(self.faults(f"| 1 | It dies | `{name}` |"), [])
        self.assertEqual(len(self.faults(f"| 1 | It dies | `{name} too` |")), 1)

    def test_a_fault_without_a_row_fails(self):
        rows = "| 1 | It dies | `ATests/itWorks` |\n| 3 | It hangs | `ATests/itWorks` |"
        self.assertEqual(self.faults(rows, 3), ["Tests/Faults.md: fault 2 is missing"])
        self.assertEqual(len(self.faults(rows + "\n" + rows, 1)), 2)

    def test_more_than_four_rows_with_a_sentence_instead_of_a_test_fail(self):
        rows = [f"| {n} | It dies | Not tested: it needs a wall. |" for n in range(1, 6)]
        self.assertEqual(self.faults("\n".join(rows[:4])), [])
        self.assertEqual(len(self.faults("\n".join(rows))), 1)

    def test_a_missing_test_or_target_fails(self):
        for names in ["`ATests/itFails`", "`BTests/itWorks`", "`make tea`", "none"]:
            self.assertEqual(len(self.faults(f"| 1 | It dies | {names} |")), 1, names)


class StyleTests(unittest.TestCase):
    def faults(self, text, path="Sources/tocsind/a.swift"):
        return list(style.style_faults(path, text, path.split("/")[1]))

    def test_a_long_file_fails(self):
        self.assertEqual(self.faults("\n" * 400), [])
        self.assertEqual(len(self.faults("\n" * 401)), 1)

    def test_a_long_function_fails(self):
        body = "func f() {\n" + "    work()\n" * 58 + "}\n"
        self.assertEqual(self.faults(body), [])
        longer = "func f() {\n" + "    work()\n" * 59 + "}\n"
        self.assertEqual(len(self.faults(longer)), 1)

    def test_braces_in_strings_do_not_end_a_function(self):
        text = "func f() {\n    print(\"}\")\n" + "    work()\n" * 58 + "}\n"
        self.assertEqual(len(self.faults(text)), 1)

    def test_forced_constructs_fail(self):
        for line in ["let a = try! b()", "let a = b as! C", "fatalError(\"x\")"]:
            self.assertEqual(len(self.faults(line + "\n")), 1, line)
        self.assertEqual(self.faults("let a = \"try! again\"  // as! said\n"), [])

    def test_waiting_for_a_time_fails_in_tests_only(self):
        for line in ["sleep(1)", "usleep(5)", "try await Task.sleep(for: .seconds(1))",
                     "Thread.sleep(forTimeInterval: 1)"]:
            self.assertEqual(len(self.faults(line + "\n", "Tests/ATests/a.swift")), 1, line)
        self.assertEqual(self.faults("sleep(1)\n"), [])

    def test_a_loop_that_polls_fails_in_tests_only(self):
        path = "Tests/ATests/a.swift"
        for code in [
            "while await !server.isIdle { await Task.yield() }\n",
            "while !isOver {\n    sched_yield()\n    look()\n}\n",
            "repeat {\n    if isOver { return }\n    await Task.yield()\n} while true\n",
            "for _ in 0..<9 where left > 0 { left = await count() }\n",
            "while events.isEmpty {}\n", "while try await list().count < 2 {}\n",
            "while !isOver {\n}\n",
            "while try await !list().contains(where: { $0.isMine(1) }) {}\n",
            "try await polled(\"it\", because: \"of that\") { look() }\n",
            'let script = """\n    time.sleep(1)\n    """\n',
        ]:
            self.assertEqual(len(self.faults(code, path)), 1, code)
            self.assertEqual(self.faults(code, next(iter(waiting.POLLING))), [], code)
            self.assertEqual(self.faults(code), [], code)
        for code in [
            "while let next = queue.next() {\n    await Task.yield()\n}\n",
            "while write(file, chunk, size) == size {}\n",
            "for await event in events { log.append(event) }\n",
            "// while events.isEmpty {}\n", "await Task.yield()\n",
        ]:
            self.assertEqual(self.faults(code, path), [], code)

    def test_each_file_that_is_allowed_to_poll_exists_and_polls(self):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        for path in waiting.POLLING:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
            looks = re.search(r"\bpolled\b|\{\}\n", text) or waiting.YIELD.search(text)
            self.assertTrue(looks or waiting.PYTHON_SLEEP.search(text), path)

    def test_a_python_program_that_sleeps_fails(self):
        with tempfile.TemporaryDirectory() as root:
            for name in ("Faults", "Benchmarks"):
                os.makedirs(os.path.join(root, "Tests", name))
                with open(os.path.join(root, "Tests", name, "a.py"), "w") as file:
                    file.write("import time\ntime.sleep(1)\n")
            faults = list(waiting.python_faults(root))
            self.assertEqual(len(faults), 1)
            self.assertIn("Tests/Faults/a.py:2", faults[0])

    def test_a_suite_that_waits_has_a_time_limit(self):
        body = "{\n    @Test func `a`() async { await work() }\n}\n"
        path = "Tests/ATests/a.swift"
        for suite in ["struct ATests ", "@Suite(.serialized) final class ATests "]:
            self.assertEqual(len(self.faults(suite + body, path)), 1, suite)
        limited = "    @Test(.timeLimit(.minutes(1)))\n    func `a`() async { await work() }\n"
        for text in [
            "@Suite(\n    .serialized, .timeLimit(.minutes(1)))\nstruct ATests " + body,
            "struct ATests {\n" + limited + "}\n",
            "struct ATests {\n    @Test func `a`() { work() }\n}\n",
        ]:
            self.assertEqual(self.faults(text, path), [], text)

    def test_a_function_whose_name_is_a_listed_verb_alone_fails(self):
        for code in ("func take(_ entry: Entry) {}", "mutating func ended<Value>(_ value: Value) {}"):
            for path in ("Sources/Reactor/A.swift", "Tests/ReactorTests/A.swift"):
                self.assertEqual(len(self.faults(code, path)), 1, code)
        for code in ("func takeEntry() {}", "func endPosts() {}", "@Test\nfunc ended() {}", "// func take()"):
            self.assertEqual(self.faults(code), [], code)

    def test_a_function_named_by_a_verb_needs_a_label_that_names_the_object(self):
        for code in ("func ask(_ dialog: Dialog) {}", "func move(to address: String) {}", "func show() {}",
                     "func place<Value>(of value: Value) {}"):
            self.assertEqual(len(self.faults(code)), 1, code)
            self.assertEqual(self.faults(code, "Tests/ReactorTests/A.swift"), [], code)
        for code in ("func show(badge: Int) {}", "func askDelegate(_ delegate: Delegate) {}", "func read() {}"):
            self.assertEqual(self.faults(code), [], code)

    def test_a_comment_that_begins_with_what_or_has_a_listed_phrase_fails(self):
        """`DIALECT` in style.py lists the first words and phrases, for which plainer ones exist."""
        for code in ("/// What comes is kept.", "    // Whoever asks.", "/// The request of the person.",
                     "/// It is told of changes."):
            self.assertEqual(len(self.faults(code)), 1, code)
            self.assertEqual(self.faults(code, "Tests/ReactorTests/A.swift"), [], code)
        for code in ("/// The daemon keeps the request.", "let text = \"What comes\"", "// Somewhat later."):
            self.assertEqual(self.faults(code), [], code)

    def test_a_type_name_that_was_replaced_by_a_plainer_name_fails(self):
        for code in ("struct LeftRequest {}", "enum PictureForm {}", "final class PatienceNotice {}"):
            self.assertEqual(len(self.faults(code)), 1, code)
            self.assertEqual(self.faults(code, "Tests/ReactorTests/A.swift"), [], code)
        self.assertEqual(self.faults("struct ImageForm {}"), [])

    def test_paths_of_one_machine_fail(self):
        self.assertEqual(len(self.faults("let a = \"/" + "work/main/x\"\n")), 1)
        self.assertEqual(len(self.faults("// see /" + "root/x\n")), 1)
        self.assertEqual(self.faults("let a = \"/usr/share/work/\"\n"), [])

    def test_pointers_outside_of_the_targets_that_may_have_them_fail(self):
        line = "let p: UnsafeMutablePointer<Int>\n"
        self.assertEqual(len(self.faults(line)), 1)
        self.assertEqual(self.faults(line, "Sources/Reactor/a.swift"), [])
        for path in style.POINTER_FILES:
            self.assertEqual(self.faults(line, path), [])
        for call in ["withUnsafeBytes(of: x) { f($0) }", "withUnsafePointer(to: &x) { f($0) }",
                     "x.withUnsafeMutableBytes { f($0) }", "x.withUnsafeBufferPointer { f($0) }",
                     "x.withMemoryRebound(to: A.self, capacity: 1) { f($0) }"]:
            self.assertEqual(len(self.faults(call + "\n")), 1, call)
        self.assertEqual(self.faults("await withUnsafeContinuation { f($0) }\n"), [])

    def test_an_assignment_to_the_state_in_a_file_of_the_actor_center_engine_fails(self):
        """`CenterEngine` calls a method of the state, which then changes itself."""
        for line in ("state.isLocked = true", "state.apps[app]?.badge += 1", "state.a.b |= c"):
            self.assertEqual(len(package({"A/CenterEngine.swift": line}, A=[])), 1, line)
            self.assertEqual(package({"A/EngineState.swift": line}, A=[]), [], line)
        for line in ("if state.isLocked == true {}", "let state = a", "state.change(app) { $0.badge = 1 }"):
            self.assertEqual(package({"A/CenterEngine+A.swift": line}, A=[]), [], line)

    def test_unchecked_sendable_needs_a_reason(self):
        self.assertEqual(len(self.faults("\nfinal class A: @unchecked Sendable {\n}\n")), 1)
        self.assertEqual(
            self.faults("// Guarded by its lock.\nfinal class A: @unchecked Sendable {\n}\n"), [])


if __name__ == "__main__":
    unittest.main()
