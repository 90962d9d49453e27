package io.rankfeed.spark.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.job.LabelsSection;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.JsonLimits;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.spark.engine.Determinism;
import io.rankfeed.spark.run.JobContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The job's lists of labels. Each is read from its source when a query first asks for it: the labels of the earlier table,
 * in their order, then what is new, by its UTF-8 bytes.
 */
final class JobLabels {
    private static final int MAX_LABELS = 1 << 20;
    private static final long MAX_BYTES = 256L << 20;

    private record Known(List<String> labels, LabelNumbers numbers) {}

    private final JobContext context;
    private final Map<String, LabelsSection> sections;
    private final Map<String, Known> known = new HashMap<>();

    JobLabels(JobContext context) {
        this.context = context;
        this.sections = context.job().prepare().labels();
    }

    /** @throws ConfigException if the job has no such labels, or they cannot be read as written */
    LabelNumbers numbers(String name) {
        return known(name).numbers;
    }

    /** Returns every list of the job, as the artifact's files have them. */
    Map<String, byte[]> files() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        sections.keySet().forEach(name -> files.put(file(name), bytes(known(name).labels)));
        return files;
    }

    private static String file(String name) {
        return "labels/" + name + ".json";
    }

    private static byte[] bytes(List<String> labels) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        labels.forEach(array::add);
        return CanonicalJson.indented(array);
    }

    private Known known(String name) {
        LabelsSection section = sections.get(name);
        if (section == null) {
            throw new ConfigException("rf_label: unknown labels '" + name + "' under prepare.labels"
                    + Suggestion.hint(name, sections.keySet()));
        }
        Known found = known.get(name);
        if (found == null) {
            found = read(name, section);
            known.put(name, found);
        }
        return found;
    }

    private Known read(String name, LabelsSection section) {
        LinkedHashSet<String> labels =
                new LinkedHashSet<>(section.after().map(id -> earlier(name, id)).orElse(List.of()));
        labels.addAll(present(name, section));
        if (labels.size() > MAX_LABELS) {
            throw tooMany(name);
        }
        HashMap<UTF8String, Integer> numbers = new HashMap<>();
        labels.forEach(label -> numbers.put(UTF8String.fromString(label), numbers.size()));
        List<String> list = new ArrayList<>(labels);
        return new Known(
                list,
                new LabelNumbers(
                        Sha256.hex(bytes(list)),
                        JavaSparkContext.fromSparkContext(context.spark().sparkContext())
                                .broadcast(numbers)));
    }

    private List<String> earlier(String name, String id) {
        Path folder = context.folders().artifact(ArtifactFormat.PREPARED, id);
        Path path = new Path(folder, file(name));
        FileSystem fs = Storage.of(path, context.hadoop());
        // A folder without it is an unfinished attempt.
        byte[] bytes = Storage.read(fs, new Path(folder, Manifest.FILE_NAME), JsonLimits.PREPARED.maxBytes())
                .flatMap(complete -> Storage.read(fs, path, MAX_BYTES))
                .orElseThrow(() -> new ConfigException("prepare.labels." + name + ".after: there is no " + path
                        + "; name a prepared table of this dataset that has these labels"));
        JsonNode array = StrictJson.parse(bytes, path.toString());
        List<String> labels = new ArrayList<>();
        for (JsonNode label : array) {
            if (!label.isTextual()) {
                throw new CorruptDataException(path.toString(), "is not a list of labels");
            }
            labels.add(label.textValue());
        }
        return labels;
    }

    private List<String> present(String name, LabelsSection section) {
        Dataset<Row> labels = context.spark().sql(section.query()).where("label IS NOT NULL");
        Determinism.check("prepare.labels." + name, labels);
        List<Row> rows =
                labels.distinct().orderBy("label").limit(MAX_LABELS + 1).collectAsList();
        if (rows.size() > MAX_LABELS) {
            throw tooMany(name);
        }
        return rows.stream().map(row -> row.getString(0)).toList();
    }

    private static ConfigException tooMany(String name) {
        return new ConfigException("prepare.labels." + name + ": there are more than " + MAX_LABELS
                + " labels; numbers of so many are no labels, hash them instead");
    }
}
