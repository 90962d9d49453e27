package io.rankfeed.spark.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.manifest.StoredJob;
import io.rankfeed.spark.engine.SparkFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The sequence that all phases share. The meaning of an artifact and its inputs give its id. An artifact of
 * this id that exists is opened; otherwise an attempt writes the files, then the dataset card, and commits the manifest last.
 *
 * @param <T> the artifact as the next phase uses it
 */
public abstract class Phase<T> {
    protected final JobContext context;
    protected final ArtifactAttempt folder;
    private final ArtifactFormat format;
    private final ObjectNode meaning;
    private final List<Input> inputs;

    /** @param meaning the part of the job that defines the artifact's bytes */
    protected Phase(JobContext context, ArtifactFormat format, ObjectNode meaning, List<Input> inputs) {
        this.context = context;
        this.format = format;
        this.meaning = StoredJob.of(meaning);
        this.inputs = List.copyOf(inputs);
        this.folder =
                context.attempt(context.folders().artifact(format, Manifest.idOf(format, this.meaning, this.inputs)));
    }

    /** Runs a phase, with Spark's exceptions translated. */
    protected static <T> T run(JobContext context, Supplier<T> phase) {
        try {
            return phase.get();
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            throw SparkFailures.translated(e);
        } finally {
            context.unnamed();
        }
    }

    /** The artifact: the one that exists, or a new one. */
    protected final T artifact() {
        return folder.made(this::write, this::existing);
    }

    /** The artifact, if it is complete. */
    protected final Optional<T> existing() {
        return folder.manifest().map(manifest -> {
            context.progress().note(name() + " " + id() + " exists already");
            return open(manifest);
        });
    }

    protected final String id() {
        return folder.path().getName();
    }

    private String name() {
        return switch (format) {
            case PREPARED -> "prepared table";
            case PLAN -> "plan";
            case VERSION -> "version";
            case FORMATTED -> "formatted copy";
        };
    }

    /** Writes the files of the artifact and ends with one of the {@code commit} methods. */
    protected abstract T write();

    protected abstract T open(byte[] manifest);

    protected final Contents contents(long rows, List<ArtifactFile> files) {
        return new Contents(context.job().dataset(), meaning, inputs, rows, files);
    }

    /** Adds the dataset card and commits. */
    protected final T commit(List<WrittenFile> files, Manifest.Table manifest, byte[] card) {
        WrittenFile written = folder.write(Manifest.CARD_FILE_NAME, card);
        List<WrittenFile> all = new ArrayList<>(files);
        all.add(written);
        return commit(all, manifest.with(written.listed()));
    }

    protected final T commit(List<WrittenFile> files, Manifest manifest) {
        byte[] bytes = ManifestJson.toBytes(manifest);
        folder.commit(files, bytes);
        return open(folder.manifest().orElse(bytes));
    }
}
