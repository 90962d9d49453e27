package io.rankfeed.spark.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.commit.Claim;
import io.rankfeed.export.commit.CommitLog;
import io.rankfeed.export.commit.FaultPoints;
import io.rankfeed.export.commit.Owner;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.config.Redaction;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.Printable;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonObject;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.DecisionsJson;
import io.rankfeed.schema.manifest.FeedDecisions;
import io.rankfeed.schema.run.VersionCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * {@code runs/<run-id>/run.json}: what happened (docs/format/manifest.md, section 7). Facts, listed in no manifest;
 * written again whenever the state changes. Safe for the hook of a shutdown to use in addition to the main thread.
 */
public final class RunFacts {
    private static final long MAX_BYTES = 16L << 20;
    private static final int MAX_LINES = 500;

    private final FileSystem fs;
    private final Path file;
    private final Claim claim;
    private final ObjectNode facts = JsonNodeFactory.instance.objectNode();
    private Function<JsonNode, byte[]> page = run -> new byte[0];

    private RunFacts(FileSystem fs, Path file, Claim claim) {
        this.fs = fs;
        this.file = file;
        this.claim = claim;
    }

    /**
     * Looks whether this run is done already. One that failed or was cut off is not: its id may be used again, by a
     * mended job too.
     *
     * @param job resolved, without its secrets
     * @return its results if it is, else nothing
     * @throws ConfigException if the committed run of this id did something else; the message has the difference
     */
    public static Optional<String> committed(Path folder, String command, JsonNode job, Configuration conf) {
        Path file = new Path(folder, "run.json");
        Optional<byte[]> bytes = Storage.read(Storage.of(file, conf), file, MAX_BYTES);
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        JsonObject facts = JsonObject.root(StrictJson.parse(bytes.get(), file.toString()), file.toString());
        if (!facts.text("state").equals("committed")) {
            return Optional.empty();
        }
        String before = facts.text("command");
        if (!before.equals(command)) {
            throw new ConfigException("run id '" + facts.text("runId") + "' was used for '" + before
                    + "'; choose another --run-id for '" + command + "'");
        }
        if (!facts.node("job").equals(normal(job))) {
            throw new ConfigException("run id '" + facts.text("runId") + "' was used with another job: "
                    + JobDifference.of(facts.node("job"), normal(job)) + "; choose another --run-id");
        }
        StringBuilder results = new StringBuilder();
        for (String kind : new String[] {"prepared", "plan", "version"}) {
            facts.optionalText(kind).ifPresent(id -> results.append(results.isEmpty() ? "" : ", ")
                    .append(kind)
                    .append(' ')
                    .append(id));
        }
        if (facts.has("formats")) {
            facts.objects("formats")
                    .forEach(copy -> results.append(", " + copy.text("format") + " " + copy.text("id")));
        }
        return Optional.of(results.toString());
    }

    /**
     * The run begins; it ends with {@link #committed} or {@link #failed}.
     *
     * @return nothing if it was {@linkplain #committed(Path, String, JsonNode, Configuration) committed} meanwhile
     * @throws ConfigException if a run of this id that did something else was committed meanwhile
     * @throws EnvironmentException if a live job has a run of this id
     */
    public static Optional<RunFacts> begin(
            Path folder, String runId, String command, JsonNode job, String application, Configuration conf) {
        Path file = new Path(folder, "run.json");
        FileSystem fs = Storage.of(file, conf);
        Claim claim = Claim.take(fs, folder, application);
        try {
            if (committed(folder, command, job, conf).isPresent()) {
                claim.close();
                return Optional.empty();
            }
            RunFacts run = new RunFacts(fs, file, claim);
            run.facts.put("runId", runId).put("command", command).put("state", "running");
            run.facts.set("job", job);
            run.facts
                    .put("sparkApplication", application)
                    .put("host", Owner.thisHost())
                    .put("startedAt", now());
            run.facts.putArray("phases");
            run.facts.putArray("messages");
            run.write();
            return Optional.of(run);
        } catch (RuntimeException e) {
            claim.close();
            throw e;
        }
    }

    /** @param page makes {@code report.html} of the facts when the run has ended, whichever way */
    public synchronized void shownBy(Function<JsonNode, byte[]> page) {
        this.page = page;
    }

    /** Keeps a message for the user with the facts, as far as there are not too many. */
    public synchronized void keep(String line) {
        if (facts.withArray("messages").size() < MAX_LINES) {
            facts.withArray("messages").add(Printable.line(line));
        }
    }

    /** A phase is over: its artifact's id under {@code kind}, and what it cost. */
    public synchronized void phase(String name, String kind, String id, Duration took, long rows, long bytes) {
        facts.put(kind, id);
        took(name, took, rows, bytes);
    }

    private void took(String name, Duration took, long rows, long bytes) {
        facts.withArray("phases")
                .addObject()
                .put("name", name)
                .put("seconds", String.format(Locale.ROOT, "%.3f", took.toNanos() / 1e9))
                .put("rows", rows)
                .put("bytes", bytes);
        write();
    }

    /** A formatted copy is complete: its id, and what it cost. */
    public synchronized void formattedCopy(String format, String id, Duration took, long rows, long bytes) {
        facts.withArray("formats").addObject().put("format", format).put("id", id);
        took("format " + format, took, rows, bytes);
    }

    /** Records the plan of the run as an order over its version; the next phase that ends writes it. */
    public synchronized void ordered(String id) {
        facts.put("order", id);
    }

    /**
     * Records the planner's decisions by feed, as the plan's manifest has them; nothing is recorded if there are none.
     */
    public synchronized void decided(Map<String, FeedDecisions> decisions) {
        if (!decisions.isEmpty()) {
            facts.set("decisions", DecisionsJson.toJson(decisions));
            write();
        }
    }

    /** Rows that the prepared table's query could not give, by reason. */
    public synchronized void badRows(Map<String, Long> counts) {
        if (!counts.isEmpty()) {
            ObjectNode object = facts.putObject("badRows");
            counts.forEach(object::put);
        }
    }

    /** Records that the run succeeded, and lists its version as the latest one, if it has one. */
    public synchronized void committed() {
        end("committed").put("exitCode", 0);
        // Before the state: a process that waits for it must find the page, and the version as the latest one.
        show();
        FaultPoints.reached("run.before-commit-log");
        if (facts.has("version")) {
            CommitLog.add(
                    fs,
                    file.getParent().getParent().getParent(),
                    new VersionCommit(
                            facts.path("runId").asText(), facts.path("version").asText(), id("order"), id("plan")));
        }
        FaultPoints.reached("run.after-commit-log");
        write();
        claim.close();
    }

    private Optional<String> id(String kind) {
        return facts.has(kind) ? Optional.of(facts.path(kind).asText()) : Optional.empty();
    }

    /** Records the failure of the run. It never throws, because the recorded failure is the one to report. */
    public synchronized void failed(String error, int exitCode) {
        end("failed").put("exitCode", exitCode).put("error", Printable.line(error));
        writeIfPossible();
    }

    /**
     * Records that a signal stopped the run; called by the shutdown hook.
     *
     * @param exitCode 128 + the signal's number
     */
    public synchronized void interrupted(int exitCode) {
        if (facts.path("state").asText().equals("running")) {
            end("failed").put("exitCode", exitCode).put("error", "stopped by a signal");
            writeIfPossible();
        }
    }

    private ObjectNode end(String state) {
        return facts.put("state", state).put("endedAt", now());
    }

    private void write() {
        Storage.replace(
                fs,
                file,
                CanonicalJson.indented(Redaction.json(facts)),
                UUID.randomUUID().toString());
    }

    private void writeIfPossible() {
        try {
            write();
        } catch (EnvironmentException e) {
            System.err.println("rankfeed: the run's facts could not be written: " + e.getMessage());
        }
        show();
        claim.close();
    }

    /** A page that cannot be made or written fails no run. */
    private void show() {
        try {
            byte[] html = page.apply(facts);
            if (html.length > 0) {
                Storage.replace(
                        fs,
                        new Path(file.getParent(), "report.html"),
                        html,
                        UUID.randomUUID().toString());
            }
        } catch (RuntimeException e) {
            System.err.println("rankfeed: the run's report.html could not be written: " + e.getMessage());
        }
    }

    /** The job as it is read back from the file, where integers have no width. */
    private static JsonNode normal(JsonNode job) {
        return StrictJson.parse(CanonicalJson.compact(job), "the job");
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
