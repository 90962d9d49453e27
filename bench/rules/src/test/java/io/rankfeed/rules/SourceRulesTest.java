package io.rankfeed.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the source tree: packages state their content, files are short, and output does not depend on the locale. */
class SourceRulesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).normalize();
    private static final List<String> MODULES =
            List.of("schema", "sampling", "shard-export", "spark-jobs", "gpu-feeder", "bench");
    private static final int LONGEST_LINES = 400;
    private static final int P90_LINES = 200;
    private static final int MAX_FILES_IN_PACKAGE = 25;

    @Test
    void package_info_statesContentAndBounds() {
        List<Path> packages = sources(".java")
                .filter(file -> file.toString().contains("src/main/java"))
                .map(Path::getParent)
                .distinct()
                .toList();
        assertThat(packages).hasSizeGreaterThanOrEqualTo(MODULES.size());
        assertThat(packages).allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                .content()
                .contains("@NullMarked")
                .contains("<p>Not here: "));
    }

    @Test
    void file_length_isLimited() {
        List<Path> files = Stream.concat(sources(".java"), sources(".py")).toList();
        assertThat(files).isNotEmpty();
        assertThat(files)
                .allSatisfy(
                        file -> assertThat(lines(file)).as("lines of %s", file).isLessThanOrEqualTo(LONGEST_LINES));
        List<Integer> lengths =
                files.stream().map(SourceRulesTest::lines).sorted().toList();
        assertThat(lengths.get(lengths.size() * 9 / 10))
                .as("90th percentile of lines")
                .isLessThanOrEqualTo(P90_LINES);
    }

    @Test
    void package_files_areLimited() {
        Map<Path, Long> files = sources(".java")
                .filter(file -> file.toString().contains("src/main/java"))
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        assertThat(files)
                .allSatisfy((folder, count) ->
                        assertThat(count).as("files in %s", folder).isLessThanOrEqualTo(MAX_FILES_IN_PACKAGE));
    }

    @Test
    void numbers_formatted_ignoreLocale() {
        Pattern formatted = Pattern.compile("(String\\.format|\\.printf)\\((?!\\s*Locale\\.ROOT)|\\.formatted\\(");
        List<Path> files = sources(".java")
                .filter(file -> file.toString().contains("src/main/java"))
                .toList();
        assertThat(files).isNotEmpty();
        assertThat(files).allSatisfy(file -> assertThat(file).content().doesNotContainPattern(formatted));
    }

    /**
     * Deadlines do not use the wall clock, as a change of its time must not end a wait. SharedMemory and driver.py
     * compare ages of files, which have the time of that clock. LogOption gives it to the lines of a log, for the feeder too.
     */
    @Test
    void feeder_deadlines_useMonotonicClock() {
        Pattern wallClock = Pattern.compile(
                "currentTimeMillis|Instant\\.now|Clock\\.|InstantSource\\.system|time\\.time\\(|datetime\\.now");
        List<Path> files = Stream.concat(sources(".java"), sources(".py"))
                .filter(file -> file.toString().contains("gpu-feeder/")
                        || file.toString().contains("schema/console/"))
                .filter(file -> file.toString().contains("src/main/java")
                        || file.toString().contains("src/rankfeed"))
                .filter(file -> Stream.of("SharedMemory.java", "driver.py", "LogOption.java")
                        .noneMatch(file::endsWith))
                .toList();
        assertThat(files).hasSizeGreaterThan(100);
        assertThat(files).allSatisfy(file -> assertThat(file).content().doesNotContainPattern(wallClock));
    }

    private static Stream<Path> sources(String suffix) {
        return MODULES.stream()
                .map(ROOT::resolve)
                .flatMap(SourceRulesTest::walk)
                .filter(file -> file.toString().endsWith(suffix))
                .filter(file -> Stream.of("/target/", "/.venv/", "/build/")
                        .noneMatch(ROOT.relativize(file).toString()::contains));
    }

    private static Stream<Path> walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int lines(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
