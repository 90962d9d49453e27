package io.rankfeed.schema.run;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version by the run that made it, where its folder is expected: {@code ROOT/DATASET@RUN-ID}, or {@code ROOT/DATASET@latest} for the
 * run that committed a version last.
 *
 * @param dataset folder of the dataset, or its address
 */
public record VersionName(String dataset, String run) {
    /** The longest facts of a run that are read. */
    public static final long MAX_RUN_BYTES = 16L << 20;

    private static final Pattern NAME = Pattern.compile("(.*[^/])/*@([^/@]+)/*", Pattern.DOTALL);

    /** The runs of a dataset. */
    public interface Runs {
        /** Names of the entries of a folder; empty if the folder does not exist. */
        List<String> names(String folder);

        /** A file of at most {@link #MAX_RUN_BYTES}; nothing if it does not exist. */
        Optional<byte[]> read(String file);

        /** Prints a warning for the user. */
        void warn(String line);
    }

    /**
     * Parses the name of a version; empty if the words are a path or an address.
     *
     * @throws ConfigException if the part after the {@code @} is not a valid run id
     */
    public static Optional<VersionName> parse(String words) {
        Matcher name = NAME.matcher(words);
        if (!name.matches()) {
            return Optional.empty();
        }
        String run = name.group(2);
        return Optional.of(new VersionName(name.group(1), run.equals(RunName.LATEST) ? run : RunName.requireId(run)));
    }

    /**
     * The version's folder.
     *
     * @throws ConfigException if no run has that name, or it made no version
     * @throws CorruptDataException if the facts of a run are damaged
     */
    public String folder(Runs runs) {
        return dataset + "/versions/" + (isLatest() ? latest(runs) : ofRun(runs));
    }

    /** Whether it names the last committed version, which another commit may change at any time. */
    public boolean isLatest() {
        return run.equals(RunName.LATEST);
    }

    /** Reads one list of names and one file, and one more file for each commit that a crash left incomplete. */
    private String latest(Runs runs) {
        String folder = dataset + "/" + VersionCommit.FOLDER;
        List<String> names = runs.names(folder).stream()
                .filter(name -> VersionCommit.number(name).isPresent())
                .sorted(Comparator.reverseOrder())
                .toList();
        for (String name : names) {
            String file = folder + "/" + name;
            try {
                Optional<byte[]> bytes = runs.read(file);
                if (bytes.isPresent()) {
                    return VersionCommit.parse(bytes.get(), file).version();
                }
            } catch (CorruptDataException e) {
                runs.warn(e.getMessage() + "; this commit is ignored, and " + this + " is the one before it. A run that"
                        + " is committing writes this file; if that run was killed, run it again");
            }
        }
        throw new ConfigException(
                this + ": no committed run in " + dataset + " has made a version; run export or pipeline");
    }

    private String ofRun(Runs runs) {
        JsonObject facts = facts(runs, run).orElseThrow(() -> {
            List<String> known = new ArrayList<>(runs.names(runsFolder()));
            known.add(RunName.LATEST);
            return new ConfigException(
                    this + ": no run '" + run + "' is in " + runsFolder() + Suggestion.hint(run, known));
        });
        return made(facts)
                .orElseThrow(() -> new ConfigException(this + ": the run made no version (command '"
                        + facts.text("command") + "', state '" + facts.text("state") + "')"));
    }

    private Optional<JsonObject> facts(Runs runs, String id) {
        String file = runsFolder() + "/" + RunName.folder(id) + "/run.json";
        return runs.read(file).map(bytes -> JsonObject.root(StrictJson.parse(bytes, file), file));
    }

    private static Optional<String> made(JsonObject facts) {
        boolean isMade = facts.text("state").equals("committed") && facts.has("version");
        return isMade ? Optional.of(VersionCommit.versionId(facts)) : Optional.empty();
    }

    private String runsFolder() {
        return dataset + "/runs";
    }

    @Override
    public String toString() {
        return dataset + "@" + run;
    }
}
