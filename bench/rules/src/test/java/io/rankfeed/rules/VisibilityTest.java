package io.rankfeed.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which packages the sources of a package may name. A rule whose package has no source fails. Rules about calls and inferred types are
 * in {@code ModuleRulesTest}, which needs the classes of all modules.
 */
class VisibilityTest {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).normalize();
    private static final String OURS = "io.rankfeed.";
    private static final List<String> SPARK = List.of("org.apache.spark.", "io.delta.", "scala.");
    private static final List<String> HADOOP = List.of("org.apache.hadoop.", "org.apache.parquet.hadoop.");
    private static final Pattern NO_CODE =
            Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(?:[^\"\\\\\\n]|\\\\.)*\"", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("\\b(?:[a-z][a-z0-9_]*\\.)+(?=[A-Z*])");
    private static final List<Source> SOURCES = sources();
    /** A source file: the package that it is in, and the packages that it names. */
    private record Source(Path file, String inPackage, List<String> named) {
        boolean isIn(String part) {
            return startsWith(inPackage, OURS + part + ".");
        }
    }

    /** The module {@code tables} is four packages of {@code spark}, and sees no other package of it. */
    @ParameterizedTest
    @CsvSource({
        "schema,",
        "schema.image, schema.failure",
        "console, schema",
        "text, schema",
        "sampling, schema",
        "job, schema sampling",
        "report, schema sampling",
        "export, schema",
        "importing, schema sampling.order export.lane",
        "look, schema sampling report console export.parquet export.petastorm",
        "spark.file, schema export.commit",
        "spark.tensor, schema",
        "spark.engine, schema export spark.file spark.tensor",
        "spark.source, schema sampling.compat job export importing.tar spark.file spark.tensor spark.engine",
        "spark, schema console text sampling job report export importing.tar look",
        "feeder, schema console sampling job report look importing",
        "images, schema feeder.transform",
        "remote, schema.store feeder.remote"
    })
    void moduleSeesOnlyTheModulesBelowIt(String module, String others) {
        List<String> seen = new ArrayList<>(List.of(OURS + module + "."));
        Stream.of(others == null ? new String[0] : others.split(" ", -1))
                .forEach(other -> seen.add(OURS + other + "."));
        assertThat(in(module)).allSatisfy(source -> assertThat(source.named())
                .as("packages named in %s", source.file())
                .filteredOn(name -> name.startsWith(OURS))
                .allMatch(name -> seen.stream().anyMatch(part -> startsWith(name, part))));
    }

    /** What reads an order, or looks at data, knows nothing of how it was planned or prepared. */
    @ParameterizedTest
    @CsvSource({
        "sampling.order, sampling.plan sampling.simulate",
        "sampling.plan, sampling.simulate",
        "feeder, sampling.plan sampling.simulate",
        "spark.prepare, spark.sample spark.export",
        "spark.sample, spark.export"
    })
    void packageDoesNotSeeLaterSteps(String part, String others) {
        assertNames(
                part,
                Stream.of(others.split(" ", -1))
                        .map(other -> OURS + other + ".")
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schema",
                "console",
                "text",
                "sampling",
                "job",
                "report",
                "look",
                "feeder",
                "images",
                "export.lane",
                "export.card",
                "export.petastorm",
                "importing"
            })
    void packageUsesNeitherSparkNorHadoop(String part) {
        assertNames(part, Stream.of(SPARK, HADOOP).flatMap(List::stream).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"export", "remote"})
    void packageUsesNoSpark(String part) {
        assertNames(part, SPARK);
    }

    /** The feeder's jar has these classes of {@code export.parquet}, and no Hadoop. */
    @ParameterizedTest
    @ValueSource(strings = {"FooterBytes", "ParquetTail"})
    void classesInTheFeedersJar_useNoHadoop(String name) {
        List<Source> found = in("export.parquet").stream()
                .filter(source -> source.file().endsWith(name + ".java"))
                .toList();
        assertThat(found).singleElement().satisfies(source -> assertThat(source.named())
                .noneMatch(named -> HADOOP.stream().anyMatch(named::startsWith)));
    }

    @Test
    void classesOfExportThatTheLookerUses_areInTheFeedersJar() {
        assertThat(in("look")).allSatisfy(source -> assertThat(code(source.file()))
                .doesNotContainPattern("io\\.rankfeed\\.export\\.parquet\\.(?!FooterBytes|ParquetTail)[A-Z]"));
    }

    /** Nobody knows the modules that are an optional class path of the feeder, nor OpenCV. */
    @Test
    void optionalModulesAreSeenByNobody() {
        assertThat(SOURCES).filteredOn(source -> !source.isIn("images")).allSatisfy(source -> assertThat(source.named())
                .as("packages named in %s", source.file())
                .noneMatch(name -> name.startsWith(OURS + "images.") || name.startsWith("org.bytedeco.")));
        assertThat(SOURCES).filteredOn(source -> !source.isIn("remote")).allSatisfy(source -> assertThat(source.named())
                .noneMatch(name -> name.startsWith(OURS + "remote.")));
    }

    @Test
    void namesSayWhatAThingIs() {
        assertThat(SOURCES)
                .extracting(source -> source.file().getFileName().toString())
                .noneMatch(name -> name.matches(".*(Impl|Utils?|Manager|Helper)\\.java"));
    }

    private static void assertNames(String part, List<String> banned) {
        assertThat(in(part)).allSatisfy(source -> assertThat(source.named())
                .as("packages named in %s", source.file())
                .noneMatch(name -> banned.stream().anyMatch(name::startsWith)));
    }

    private static List<Source> in(String part) {
        List<Source> found =
                SOURCES.stream().filter(source -> source.isIn(part)).toList();
        assertThat(found).as("sources in %s", part).isNotEmpty();
        return found;
    }

    /** Both end with a dot, so that {@code io.rankfeed.spark.} is no part of {@code io.rankfeed.sparkle.}. */
    private static boolean startsWith(String name, String part) {
        return (name.endsWith(".") ? name : name + ".").startsWith(part);
    }

    private static List<Source> sources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> ROOT.relativize(file).toString().contains("src/main/java/io/rankfeed/"))
                    .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?(target|build|\\.envs)/.*"))
                    .map(VisibilityTest::source)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Source source(Path file) {
        List<String> lines = Arrays.asList(code(file).split("\n", -1));
        String inPackage = lines.stream()
                .filter(line -> line.startsWith("package "))
                .map(line -> line.replaceAll("package |;", "").strip())
                .findFirst()
                .orElse("");
        List<String> named =
                lines.stream().flatMap(VisibilityTest::named).distinct().toList();
        return new Source(file, inPackage, named);
    }

    /** An import names a class or a member; names of classes in Scala's packages may be in lower case. */
    private static Stream<String> named(String line) {
        return line.startsWith("import ")
                ? Stream.of(line.replaceFirst("import (static )?", ""))
                : NAME.matcher(line).results().map(MatchResult::group);
    }

    private static String code(Path file) {
        try {
            return NO_CODE.matcher(Files.readString(file)).replaceAll("\"\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
