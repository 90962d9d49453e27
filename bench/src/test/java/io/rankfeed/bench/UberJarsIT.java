package io.rankfeed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** Checks the jars that are deployed: each starts by itself, and contains no class that the cluster provides. */
class UberJarsIT {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).normalize();
    private static final List<String> OF_THE_CLUSTER = List.of(
            "org/apache/spark/", "org/apache/hadoop/", "org/apache/parquet/", "io/delta/", "scala/", "org/slf4j/");
    /** The feeder reads footers, with the classes of Parquet's format and those that read them. */
    private static final Pattern OF_FOOTERS = Pattern.compile(
            "org/apache/parquet/format/.*|io/rankfeed/export/(parquet/(FooterBytes|ParquetTail)|petastorm/).*");

    /** What {@code inspect} reads of Parquet files, and {@code import} writes. */
    private static final Pattern OF_FOOTERS_AND_LANES =
            Pattern.compile(OF_FOOTERS.pattern() + "|io/rankfeed/export/lane/[A-Za-z-]+\\.class");

    private static final long FEEDER_JAR_MAX_BYTES = 8 << 20;

    @Test
    void jobsJar_content_hasNoClassesOfSpark() throws IOException {
        try (JarFile jar = open("spark-jobs/target/rankfeed-spark-jobs.jar")) {
            assertStartsWith(jar, "io.rankfeed.spark.RankfeedJobs");
            assertNoneOf(jar, OF_THE_CLUSTER);
            // Ours are relocated: Spark has other versions of the same libraries in the same class loader.
            assertNoneOf(jar, List.of("com/", "org/apache/arrow/", "org/yaml/", "picocli/", "META-INF/versions/"));
        }
    }

    @Test
    void feederJar_content_isSmallWithoutSpark() throws IOException {
        Path path = ROOT.resolve("gpu-feeder/target/rankfeed-gpu-feeder.jar");
        assertThat(path.toFile().length()).isBetween(1L, FEEDER_JAR_MAX_BYTES);
        try (JarFile jar = open("gpu-feeder/target/rankfeed-gpu-feeder.jar")) {
            assertStartsWith(jar, "io.rankfeed.feeder.RankfeedFeeder");
            assertNoneOf(jar, OF_THE_CLUSTER, OF_FOOTERS);
            assertNoneOf(jar, List.of("io/rankfeed/export/", "io/rankfeed/spark/"), OF_FOOTERS_AND_LANES);
        }
    }

    private static JarFile open(String path) throws IOException {
        return new JarFile(ROOT.resolve(path).toFile());
    }

    private static void assertStartsWith(JarFile jar, String mainClass) throws IOException {
        assertThat(jar.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS))
                .isEqualTo(mainClass);
        assertThat(jar.getEntry(mainClass.replace('.', '/') + ".class")).isNotNull();
    }

    private static void assertNoneOf(JarFile jar, List<String> prefixes) {
        assertNoneOf(jar, prefixes, Pattern.compile("(?!)"));
    }

    private static void assertNoneOf(JarFile jar, List<String> prefixes, Pattern allowed) {
        try (Stream<String> names =
                jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName)) {
            assertThat(names.filter(name -> prefixes.stream().anyMatch(name::startsWith))
                            .filter(name -> !allowed.matcher(name).matches()))
                    .isEmpty();
        }
    }
}
