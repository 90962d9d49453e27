package io.rankfeed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents use plain technical English. */
class WordingTest {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).toAbsolutePath().normalize();
    private static final int WIDTH = 140;

    /** Documents that are free of the phrases; one that is rewritten is added. */
    private static final List<String> REWRITTEN = List.of(
            "README.md",
            "CHANGELOG.md",
            "rankfeed",
            "docs/testing.md",
            "docs/data-flow.md",
            "docs/guide.md",
            "docs/job-file.md",
            "docs/faults.md",
            "docs/functions.md",
            "docs/format/cache.md",
            "docs/format/manifest.md",
            "docs/format/petastorm.md",
            "docs/format/plan.md",
            "docs/format/ring.md",
            "bench/README.md",
            "gpu-feeder/python/README.md",
            "schema/console/src/main/java/io/rankfeed/console/Console.java");

    /** Phrases that readers do not find in the documents of Spark, Parquet, PyTorch and Unix. */
    private static final List<String> PHRASES = List.of(
            "stands twice",
            "stand twice",
            "keys that stand",
            "plans and cuts",
            "lies in tables",
            "begins anew",
            "at the head of",
            "what you wrote",
            "the surroundings",
            "damaged data",
            "what is survived",
            "split at blanks",
            "who gets which row",
            "what lies at",
            "passed over",
            "hang on",
            "hangs on",
            "is told",
            "are told",
            "told on the way",
            "in no bin",
            "who may fail",
            "come again in",
            "cannot hold",
            "the job speaks of",
            "no state of a feed",
            "would save nothing",
            "within the grace",
            "for people",
            "gives way to",
            " twin",
            "is there already",
            "there is no such",
            "reckon",
            "whose answer is lost",
            "in one place each");

    @Test
    void rewrittenDocumentsHaveNoneOfThePhrases() throws IOException {
        List<String> found = new ArrayList<>();
        for (String document : REWRITTEN) {
            List<String> lines = Files.readAllLines(ROOT.resolve(document));
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).toLowerCase(Locale.ROOT);
                for (String phrase : PHRASES) {
                    if (line.contains(phrase)) {
                        found.add(document + " line " + (i + 1) + ": '" + phrase + "'");
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void proseWrapsAtItsWidth() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path document : markdown()) {
            boolean isCode = false;
            List<String> lines = Files.readAllLines(document);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                isCode ^= line.stripLeading().startsWith("```");
                if (!isCode && !line.startsWith("|") && line.codePointCount(0, line.length()) > WIDTH) {
                    wide.add(ROOT.relativize(document) + " line " + (i + 1));
                }
            }
        }
        assertThat(wide).isEmpty();
    }

    private static List<Path> markdown() throws IOException {
        List<Path> documents = new ArrayList<>(List.of(
                ROOT.resolve("README.md"),
                ROOT.resolve("CHANGELOG.md"),
                ROOT.resolve("bench/README.md"),
                ROOT.resolve("gpu-feeder/python/README.md")));
        try (Stream<Path> walk = Files.walk(ROOT.resolve("docs"))) {
            walk.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
        }
        return documents;
    }
}
