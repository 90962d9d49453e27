package io.rankfeed.spark.source.format.arrow;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.job.PrepareSection.OnBadRow;
import io.rankfeed.job.SourceSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.Input.FileFormat;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.FormatSource;
import io.rankfeed.spark.source.open.OpenSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/** A folder that {@code save_to_disk} of Hugging Face's datasets wrote: the Arrow files that its state lists. */
public final class HuggingFaceSource {
    private static final String STATE = "state.json";
    private static final String SPLITS = "dataset_dict.json";
    private static final int MAX_JSON_BYTES = 16 << 20;

    private HuggingFaceSource() {}

    /** @throws ConfigException if the folder is not the one of a dataset, or has several splits */
    public static OpenSource open(
            SparkSession spark, Configuration conf, String name, SourceSection section, OnBadRow onBadRow) {
        SourceFiles folder = new SourceFiles(name, section.location(), conf);
        Path state = new Path(folder.root(), STATE);
        JsonNode listed = json(state, conf).orElseThrow(() -> notASplit(name, folder.root(), conf));
        return FormatSource.open(
                spark,
                conf,
                name,
                section,
                FileFormat.HUGGINGFACE,
                new ArrowFormat(),
                onBadRow,
                files(folder, state, listed));
    }

    private static Optional<JsonNode> json(Path path, Configuration conf) {
        return Storage.read(Storage.of(path, conf), path, MAX_JSON_BYTES)
                .map(bytes -> StrictJson.parse(bytes, path.toString()));
    }

    private static ConfigException notASplit(String name, Path root, Configuration conf) {
        List<String> splits = new ArrayList<>();
        json(new Path(root, SPLITS), conf)
                .ifPresent(dict -> dict.path("splits").forEach(split -> splits.add(root + "/" + split.asText())));
        return new ConfigException("sources." + name + ": " + root
                + (splits.isEmpty()
                        ? " has no " + STATE
                                + ", so datasets.save_to_disk did not write it; read Arrow files with arrow:"
                        : " has several splits; name the folder of one: " + String.join(", ", splits)));
    }

    /** The files that the state lists: others are left of an earlier dataset. */
    private static List<SourceFile> files(SourceFiles folder, Path state, JsonNode listed) {
        Set<String> names = new HashSet<>();
        for (JsonNode file : listed.path("_data_files")) {
            String name = file.path("filename").asText("");
            if (name.isEmpty() || !names.add(name)) {
                throw new CorruptDataException(
                        state.toString(), "_data_files has an entry without a filename, or two with '" + name + "'");
            }
        }
        if (names.isEmpty()) {
            throw new ConfigException(state + " lists no files");
        }
        List<SourceFile> files = folder.list(name -> true).stream()
                .filter(file -> names.remove(file.relative()))
                .toList();
        if (!names.isEmpty()) {
            throw new CorruptDataException(
                    state.toString(), "lists " + names.iterator().next() + ", which does not exist");
        }
        return files;
    }
}
