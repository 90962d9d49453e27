package io.rankfeed.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents use plain technical English. */
class WordingTest {
    private static final Path ROOT =
            Path.of(System.getProperty("rankfeed.root", "..")).toAbsolutePath().normalize();
    private static final int WIDTH = 140;

    /** Line breaks with the margin of a comment, and the seam between two literals. */
    private static final Pattern BREAK = Pattern.compile("\"\\s*\\n\\s*\\+ \"|\\s*\\n\\s*(\\*|//|#)?\\s*");

    /** Phrases that readers do not find in the documents of Spark, Parquet, PyTorch and Unix; next to each, the standard term. */
    private static final Map<String, String> PHRASES = phrases();

    private static Map<String, String> phrases() {
        Map<String, String> found = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("src/test/resources/phrases.tsv"))) {
                String[] columns = line.split("\t", -1);
                found.put(columns[0], columns[1]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(found).hasSizeGreaterThan(30);
        return found;
    }

    @Test
    void documents_phrases_areAbsent() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path document : markdown()) {
            find(ROOT.relativize(document).toString(), Files.readString(document), found);
        }
        find("rankfeed", Files.readString(ROOT.resolve("rankfeed")), found);
        assertThat(found).isEmpty();
    }

    /** Messages, help, comments and names; a phrase may be broken over lines or literals. */
    @Test
    void sources_phrases_areAbsent() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            find(ROOT.relativize(source).toString(), text, found);
        }
        assertThat(found).isEmpty();
    }

    private static void find(String name, String text, List<String> found) {
        String words = BREAK.matcher(text).replaceAll(" ").toLowerCase(Locale.ROOT);
        PHRASES.forEach((phrase, standard) -> {
            int at = words.indexOf(phrase);
            if (at >= 0) {
                found.add(name + ": '"
                        + words.substring(Math.max(0, at - 20), Math.min(words.length(), at + phrase.length() + 20))
                        + "'; standard: " + standard);
            }
        });
    }

    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : List.of(
                "schema", "sampling", "shard-export", "spark-jobs", "gpu-feeder", "bench", "conf", "notebooks")) {
            try (Stream<Path> walk = Files.walk(ROOT.resolve(module))) {
                walk.filter(file -> file.toString().matches(".*\\.(java|py|sh|yaml|ipynb)"))
                        .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
                        .forEach(all::add);
            }
        }
        assertThat(all).hasSizeGreaterThan(500);
        return all;
    }

    @Test
    void prose_lines_wrapAtWidth() throws IOException {
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

    @Test
    void comments_lines_wrapAtWidth() throws IOException {
        Pattern comment = Pattern.compile("\\s*(\\*|//|/\\*|#).*");
        List<String> wide = new ArrayList<>();
        for (Path source : sources()) {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).length() > WIDTH
                        && comment.matcher(lines.get(i)).matches()) {
                    wide.add(ROOT.relativize(source) + " line " + (i + 1));
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
