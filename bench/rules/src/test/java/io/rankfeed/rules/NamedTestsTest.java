package io.rankfeed.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks docs/faults.md and docs/format/plan.md: every fault and every promise has a line, and every test that it names
 * exists.
 */
class NamedTestsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).normalize();
    private static final Pattern LINE = Pattern.compile("\\| ([0-9]+) \\| [^|]+ \\| [^|]+ \\| ([^|]+) \\|");
    private static final Pattern TEST = Pattern.compile("`(\\w+)(\\.py::|\\.)(\\w+)`");
    /** The numbers of the page. The missing numbers are faults of other parts, which have tests elsewhere. */
    private static final List<Integer> FAULTS = Stream.of(
                    IntStream.rangeClosed(1, 46), IntStream.of(48, 50), IntStream.rangeClosed(53, 90))
            .flatMap(IntStream::boxed)
            .toList();

    private static final int LEFT_OUT = 3;

    @Test
    void faults_page_namesTestOrReason() throws IOException {
        List<MatchResult> lines = Files.readAllLines(ROOT.resolve("docs/faults.md")).stream()
                .flatMap(line -> LINE.matcher(line).results())
                .toList();
        assertThat(lines.stream().map(line -> Integer.parseInt(line.group(1)))).containsExactlyElementsOf(FAULTS);
        assertThat(lines.stream().filter(line -> line.group(2).equals("–"))).hasSizeLessThanOrEqualTo(LEFT_OUT);
        for (MatchResult line : lines) {
            List<MatchResult> tests = TEST.matcher(line.group(2)).results().toList();
            assertThat(tests.isEmpty()).as(line.group()).isEqualTo(line.group(2).equals("–"));
            assertThat(tests)
                    .allSatisfy(
                            test -> assertThat(isThere(test)).as(test.group()).isTrue());
        }
    }

    @Test
    void planPromises_page_namesTests() throws IOException {
        List<String> page = Files.readAllLines(ROOT.resolve("docs/format/plan.md"));
        List<String> promises = page.stream()
                .skip(page.indexOf("| promise | bound | test |") + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(promises).hasSizeGreaterThan(20);
        for (String promise : promises) {
            List<MatchResult> tests = TEST.matcher(promise).results().toList();
            assertThat(tests).as(promise).isNotEmpty();
            assertThat(tests)
                    .allSatisfy(
                            test -> assertThat(isThere(test)).as(test.group()).isTrue());
        }
    }

    private static boolean isThere(MatchResult test) {
        boolean python = test.group(2).startsWith(".py");
        String file = test.group(1) + (python ? ".py" : ".java");
        String head = (python ? "def " : "void ") + test.group(3) + "(";
        return Stream.of("schema", "sampling", "shard-export", "spark-jobs", "gpu-feeder", "bench")
                .flatMap(module -> walk(ROOT.resolve(module)))
                .filter(path -> path.getFileName().toString().equals(file))
                .filter(path -> path.toString().contains(python ? "/python/tests/" : "/src/test/java/"))
                .anyMatch(path -> read(path).contains(head));
    }

    private static Stream<Path> walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
