package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version by the run that made it, where its folder is expected: {@code ROOT/DATASET@RUN-ID}, or {@code ROOT/DATASET@latest} for the
 * committed run that ended last.
 *
 * @param dataset folder of the dataset, or its address
 */
public record VersionName(String dataset, String run) {
    /** The longest facts of a run that are read. */
    public static final long MAX_RUN_BYTES = 16L << 20;

    private static final String LATEST = "latest";
    private static final Pattern NAME = Pattern.compile("(.*[^/])/*@([^/@]+)/*");

    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    /** The runs of a dataset. */
    public interface Runs {
        /** Names of the folders in {@code runs}; none where that does not exist. */
        List<String> ids(String runsFolder);

        /** A file of at most {@link #MAX_RUN_BYTES}; nothing if it does not exist. */
        Optional<byte[]> read(String file);
    }

    private record Made(Instant at, String version) {}

    /** Nothing if the words are a path or an address. */
    public static Optional<VersionName> parse(String words) {
        Matcher name = NAME.matcher(words);
        return name.matches() ? Optional.of(new VersionName(name.group(1), name.group(2))) : Optional.empty();
    }

    /**
     * The version's folder.
     *
     * @throws ConfigException if no run has that name, or it made no version
     * @throws CorruptDataException if the facts of a run are damaged
     */
    public String folder(Runs runs) {
        return dataset + "/versions/" + (run.equals(LATEST) ? latest(runs) : ofRun(runs));
    }

    private String latest(Runs runs) {
        Made latest = null;
        for (String id : runs.ids(runsFolder())) {
            Optional<Made> made = facts(runs, id).flatMap(VersionName::made);
            if (made.isPresent()
                    && (latest == null || latest.at().isBefore(made.get().at()))) {
                latest = made.get();
            }
        }
        if (latest == null) {
            throw new ConfigException(
                    this + ": no committed run is in " + runsFolder() + " that made a version; run export or pipeline");
        }
        return latest.version();
    }

    private String ofRun(Runs runs) {
        JsonObject facts = facts(runs, run).orElseThrow(() -> {
            List<String> known = new ArrayList<>(runs.ids(runsFolder()));
            known.add(LATEST);
            return new ConfigException(
                    this + ": no run '" + run + "' is in " + runsFolder() + Suggestion.hint(run, known));
        });
        return made(facts)
                .map(Made::version)
                .orElseThrow(() -> new ConfigException(this + ": the run made no version (command '"
                        + facts.text("command") + "', state '" + facts.text("state") + "')"));
    }

    private Optional<JsonObject> facts(Runs runs, String id) {
        String file = runsFolder() + "/" + id + "/run.json";
        return runs.read(file).map(bytes -> JsonObject.root(StrictJson.parse(bytes, file), file));
    }

    private static Optional<Made> made(JsonObject facts) {
        if (!facts.text("state").equals("committed")) {
            return Optional.empty();
        }
        return facts.optionalText("version").map(version -> new Made(instant(facts), id(facts, version)));
    }

    private static String id(JsonObject facts, String version) {
        if (!ID.matcher(version).matches()) {
            throw facts.damage("version", "is no id: " + version);
        }
        return version;
    }

    private static Instant instant(JsonObject facts) {
        try {
            return Instant.parse(facts.text("endedAt"));
        } catch (DateTimeParseException e) {
            throw facts.damage("endedAt", "is no time: " + e.getParsedString());
        }
    }

    private String runsFolder() {
        return dataset + "/runs";
    }

    @Override
    public String toString() {
        return dataset + "@" + run;
    }
}
