package io.rankfeed.export.format.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.export.format.CountedFile;
import io.rankfeed.export.format.FileSet;
import io.rankfeed.export.format.Format;
import io.rankfeed.export.format.FormatFile;
import io.rankfeed.export.format.FormatWriter;
import io.rankfeed.export.format.Part;
import io.rankfeed.export.format.PartFiles;
import io.rankfeed.export.format.PartSummary;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.json.CanonicalJson;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A folder as {@code save_to_disk} of the {@code datasets} library writes it: Arrow streams, features and a fingerprint. Or Parquet files
 * as its {@code to_parquet} writes them.
 */
public final class HuggingFace implements Format {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int FINGERPRINT_DIGITS = 16;
    private static final String FILES = "files";

    /** The names that the library accepts for a split. */
    private static final Pattern SPLIT = Pattern.compile("\\w+(\\.\\w+)*");

    @Override
    public String name() {
        return ArrowFeatures.KEY;
    }

    @Override
    public Set<String> options() {
        return Set.of(FILES);
    }

    @Override
    public boolean onePart() {
        return false;
    }

    /** Every type of a sample is stored. */
    @Override
    public void check(FileSet set) {
        if (isParquet(set) && set.options().shardBytes() > 0) {
            throw new ConfigException("format huggingface: files: parquet cannot be combined with shard-bytes, as the"
                    + " size of a compressed row is not known before it is written; use shard-rows");
        }
    }

    private static boolean isParquet(FileSet set) {
        return set.options().oneOf(ArrowFeatures.KEY, FILES, "arrow", "parquet").equals("parquet");
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) throws IOException {
        return isParquet(set) ? new ParquetPart(set, part, files) : new HuggingFaceWriter(set, part, files);
    }

    /** The path of a file of a part. */
    static String path(FileSet set, int part, int number) {
        String suffix = set.options().shardBytes() > 0 ? "" : String.format(Locale.ROOT, "-of-%05d", set.parts());
        return set.shardPath("data-", part, number, suffix + (isParquet(set) ? ".parquet" : ".arrow"));
    }

    @Override
    public void finish(FileSet set, List<PartSummary> parts, PartFiles files) throws IOException {
        if (isParquet(set)) {
            return; // Each file has the features.
        }
        MessageDigest digest = Sha256.digest();
        ObjectNode state = JSON.objectNode();
        ArrayNode names = state.putArray("_data_files");
        for (PartSummary part : parts) {
            digest.update(part.state());
            for (FormatFile file : part.files()) {
                names.addObject()
                        .put("filename", file.path().substring(file.path().lastIndexOf('/') + 1));
            }
        }
        state.put("_fingerprint", HexFormat.of().formatHex(digest.digest()).substring(0, FINGERPRINT_DIGITS))
                .putNull("_format_columns")
                .putNull("_format_type")
                .put("_output_all_columns", false)
                .put("_split", SPLIT.matcher(set.split()).matches() ? set.split() : null)
                .putObject("_format_kwargs");
        CountedFile.write(files, set.split() + "/state.json", CanonicalJson.indented(state));
        ObjectNode info = JSON.objectNode()
                .put("citation", "")
                .put("description", "")
                .put("homepage", "")
                .put("license", "");
        info.set("features", new ArrowFeatures(set.schema()).json());
        CountedFile.write(files, set.split() + "/dataset_info.json", CanonicalJson.indented(info));
    }

    /** The root is a {@code DatasetDict}. */
    @Override
    public void finishAll(List<FileSet> sets, PartFiles files) throws IOException {
        if (sets.stream().anyMatch(HuggingFace::isParquet)) {
            return;
        }
        ObjectNode dict = JSON.objectNode();
        ArrayNode splits = dict.putArray("splits");
        sets.forEach(set -> splits.add(set.split()));
        CountedFile.write(files, "dataset_dict.json", CanonicalJson.indented(dict));
    }
}
