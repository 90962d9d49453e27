package io.rankfeed.feeder.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a quickstart keeps in its folder: {@code input/rows-N/}, {@code data/codecontests/…} and {@code report.json}.
 *
 * @param home the project's folder
 * @param folder of this quickstart
 * @param rows of the input
 */
record QuickstartFiles(Path home, Path folder, long rows) {
    private static final String DATASET = "codecontests";
    private static final int DIGEST_CHARS = 12;
    private static final long MAX_RUN_BYTES = 16L << 20;

    Path job() {
        return home.resolve("conf/jobs/codecontests.yaml");
    }

    Path input() {
        return inputs().resolve("rows-" + rows);
    }

    private Path inputs() {
        return folder.resolve("input");
    }

    Path data() {
        return folder.resolve("data");
    }

    Path report() {
        return folder.resolve("report.json");
    }

    /** The version that a committed run made, if it is there. */
    Optional<Path> version(String runId) {
        Path dataset = data().resolve(DATASET);
        Path facts = dataset.resolve("runs").resolve(runId).resolve("run.json");
        if (!Files.exists(facts)) {
            return Optional.empty();
        }
        try {
            JsonNode run = StrictJson.parse(StrictJson.readCapped(facts, MAX_RUN_BYTES), facts.toString());
            String id = run.path("version").asText();
            Path version = dataset.resolve("versions").resolve(id);
            boolean isThere = run.path("state").asText().equals("committed")
                    && id.matches("[0-9a-f]{16}")
                    && Files.exists(version.resolve(Manifest.FILE_NAME));
            return isThere ? Optional.of(version) : Optional.empty();
        } catch (CorruptDataException e) {
            return Optional.empty();
        }
    }

    /** Names the run after all that it depends on: another job file, size or input is another run. */
    String runId() {
        try {
            StringBuilder text = new StringBuilder(Sha256.hex(job()));
            for (Path file : files(input())) {
                text.append('\n')
                        .append(input().relativize(file))
                        .append(' ')
                        .append(Files.size(file))
                        .append(' ')
                        .append(Files.getLastModifiedTime(file).toMillis());
            }
            String digest = Sha256.hex(text.toString().getBytes(StandardCharsets.UTF_8));
            return "quickstart-" + rows + "-" + digest.substring(0, DIGEST_CHARS);
        } catch (IOException e) {
            throw new EnvironmentException("the input in " + input() + " cannot be looked at: " + e.getMessage(), e);
        }
    }

    /** Makes the folder; with a whole new start, empties it first. */
    void prepare(Start start) {
        try {
            if (start == Start.CLEAN && Files.exists(folder)) {
                if (!Files.isDirectory(inputs())) {
                    throw new ConfigException(folder + " is no folder of a quickstart: --clean removes none other");
                }
                for (Path file : everything(folder)) {
                    Files.delete(file);
                }
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new EnvironmentException(folder + " cannot be prepared: " + e.getMessage(), e);
        }
    }

    /** How to begin. */
    enum Start {
        KEEP,
        CLEAN
    }

    private static List<Path> files(Path under) throws IOException {
        if (!Files.isDirectory(under)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(under)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Deepest first; links are removed, not followed. */
    private static List<Path> everything(Path under) throws IOException {
        try (Stream<Path> all = Files.walk(under)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
