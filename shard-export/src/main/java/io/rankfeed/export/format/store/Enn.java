package io.rankfeed.export.format.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.export.format.Survey;
import io.rankfeed.schema.failure.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * ENN's memory maps: features, labels and ids of rows as raw arrays, with their scale in {@code meta.json}. The survey
 * finds the scale, which decides between float32 and float64.
 */
public final class Enn implements Format {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String DTYPE = "dtype";
    private static final String UNDERFLOW = "underflow";
    private static final String VALIDATION = "validation";

    @Override
    public String name() {
        return EnnColumns.NAME;
    }

    @Override
    public Set<String> options() {
        return Set.of(EnnColumns.FEATURES, EnnColumns.LABEL, EnnColumns.ROW_IDS, DTYPE, UNDERFLOW, VALIDATION);
    }

    @Override
    public boolean onePart() {
        return true;
    }

    @Override
    public void check(FileSet set) {
        EnnColumns.of(set);
        dtype(set);
        underflow(set);
        validation(set);
    }

    @Override
    public List<Integer> metadataFields(FileSet set) {
        return EnnColumns.of(set).metadata();
    }

    @Override
    public Optional<Survey> survey(FileSet set) {
        return Optional.of(new EnnSurvey(EnnColumns.of(set)));
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) throws IOException {
        EnnScale scale = EnnScale.merged(part.surveys());
        return new EnnWriter(set.split(), EnnColumns.of(set), isFloat32(set, scale), scale.toBytes(), part, files);
    }

    private static boolean isFloat32(FileSet set, EnnScale scale) {
        return dtype(set).equals("auto") && scale.isFloat32(underflow(set).equals("forbid"));
    }

    @Override
    public void finish(FileSet set, List<PartSummary> parts, PartFiles files) throws IOException {
        EnnColumns columns = EnnColumns.of(set);
        EnnScale scale = EnnScale.merged(parts.stream().map(PartSummary::state).toList());
        boolean labels = columns.label() >= 0;
        String dtype = isFloat32(set, scale) ? "float32" : "float64";
        double fraction = validation(set);
        long validation = Math.min(set.rows(), (long) Math.rint(set.rows() * fraction));
        ObjectNode meta = JSON.objectNode()
                .put("N", set.rows())
                .put("feature_dim", columns.featureDim())
                .put("features_path", EnnWriter.FEATURES)
                .put("labels_path", labels ? EnnWriter.LABELS : null)
                .put("features_dtype", dtype)
                .put("labels_dtype", labels ? dtype : null)
                .put("shuffled", false)
                .put("shuffle_seed", 0)
                .put("shuffle_mode", "none")
                .put("shuffle_impl", "none")
                .put("train_start", 0)
                .put("train_end", set.rows() - validation)
                .put("val_start", set.rows() - validation)
                .put("val_end", set.rows())
                .putNull("scaler_stats_path")
                .put("is_negotiable", dtype.equals("float32"))
                .put("underflow_action", underflow(set))
                .put("features_only", !labels);
        ArrayNode shape = meta.putArray("label_shape");
        if (labels) {
            columns.labelShape().dims().forEach(shape::add);
        }
        meta.putArray("fractions").add(1 - fraction).add(fraction);
        scale.describe(meta);
        write(set.split() + "/meta.json", meta, files);
        ObjectNode ids = JSON.objectNode().put("dtype", "int64");
        ids.putArray("shape").add(set.rows());
        write(set.split() + "/" + EnnWriter.ROW_IDS + ".meta.json", ids, files);
    }

    private static void write(String path, ObjectNode json, PartFiles files) throws IOException {
        CountedFile.write(files, path, (json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String dtype(FileSet set) {
        return set.options().oneOf(EnnColumns.NAME, DTYPE, "auto", "float64");
    }

    private static String underflow(FileSet set) {
        return set.options().oneOf(EnnColumns.NAME, UNDERFLOW, "warn", "allow", "forbid");
    }

    /** The fraction of the rows, at the end, that are for validation. */
    private static double validation(FileSet set) {
        String text = set.options().text(VALIDATION, "0");
        try {
            double fraction = Double.parseDouble(text);
            if (fraction >= 0 && fraction < 1) {
                return fraction;
            }
        } catch (NumberFormatException e) {
            throw new ConfigException("format enn: " + VALIDATION + ": '" + text + "' is not a number", e);
        }
        throw new ConfigException("format enn: " + VALIDATION + ": " + text + " must be at least 0 and less than 1");
    }
}
