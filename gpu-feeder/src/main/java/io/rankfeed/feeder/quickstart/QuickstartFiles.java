package io.rankfeed.feeder.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Manifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of a quickstart in its folder: {@code input/}, {@code data/DATASET/…}, {@code reports/DATASET/…}, and a
 * mark by which it knows the folder again.
 *
 * @param installation has the job files
 * @param folder of this quickstart
 */
record QuickstartFiles(Installation installation, Path folder) {
    private static final String MARK = ".rankfeed-quickstart";
    private static final int DIGEST_CHARS = 12;
    private static final long MAX_RUN_BYTES = 16L << 20;

    Path job(QuickstartPart part) {
        return installation.job(part.dataset());
    }

    Path data() {
        return folder.resolve("data");
    }

    /** The report of the feeder; the report of each rank is next to it. */
    Path report(QuickstartPart part) {
        return reports(part).resolve("feeder.json");
    }

    Path reports(QuickstartPart part) {
        return folder.resolve("reports").resolve(part.dataset());
    }

    /** Returns the version that a committed run made of the current input, if it exists. */
    Optional<Path> version(QuickstartPart part) {
        Path dataset = data().resolve(part.dataset());
        Path facts = dataset.resolve("runs").resolve(runId(part)).resolve("run.json");
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

    /** Returns a run id with a digest of everything that the run depends on: job file, settings and input. */
    String runId(QuickstartPart part) {
        try {
            StringBuilder text = new StringBuilder(Sha256.hex(job(part)));
            text.append('\n').append(part.settings());
            for (Path file : files(part.input())) {
                text.append('\n')
                        .append(part.input().relativize(file))
                        .append(' ')
                        .append(Files.size(file))
                        .append(' ')
                        .append(Files.getLastModifiedTime(file).toMillis());
            }
            String digest = Sha256.hex(text.toString().getBytes(StandardCharsets.UTF_8));
            return "quickstart-" + part.label() + "-" + digest.substring(0, DIGEST_CHARS);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("the input in " + part.input() + " cannot be read", e), e);
        }
    }

    /** Creates the folder; {@link Start#CLEAN} deletes its files first. */
    void prepare(Start start) {
        try {
            if (start == Start.CLEAN && Files.exists(folder)) {
                if (!Files.exists(folder.resolve(MARK))) {
                    throw new ConfigException(folder + " is not a folder of a quickstart (it has no " + MARK
                            + "): --clean removes no other folder");
                }
                // The mark sorts before the rest, so it goes last: a removal that was stopped can be taken up again.
                for (Path file : everything(folder)) {
                    Files.delete(file);
                }
            }
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(MARK), "rankfeed quickstart --clean removes this folder\n");
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of(folder + " cannot be prepared", e), e);
        }
    }

    /** What to do with the files of an earlier run. */
    enum Start {
        KEEP,
        CLEAN
    }

    /** Lists the files of the input; follows links. */
    private static List<Path> files(Path under) throws IOException {
        if (!Files.isDirectory(under)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(under, FileVisitOption.FOLLOW_LINKS)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Lists files and folders, those in a folder before the folder; does not follow links. */
    private static List<Path> everything(Path under) throws IOException {
        try (Stream<Path> all = Files.walk(under)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
