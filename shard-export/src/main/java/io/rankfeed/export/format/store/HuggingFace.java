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
import io.rankfeed.schema.json.CanonicalJson;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A folder as {@code save_to_disk} of the {@code datasets} library writes it: Arrow streams, features and a fingerprint. */
public final class HuggingFace implements Format {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int FINGERPRINT_DIGITS = 16;

    /** The names that the library accepts for a split. */
    private static final Pattern SPLIT = Pattern.compile("\\w+(\\.\\w+)*");

    @Override
    public String name() {
        return "huggingface";
    }

    @Override
    public boolean onePart() {
        return false;
    }

    /** Every type of a sample is stored. */
    @Override
    public void check(FileSet set) {}

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) {
        return new HuggingFaceWriter(set, part, files);
    }

    /** The path of a file of a part. */
    static String path(FileSet set, int part, int number) {
        String suffix = set.options().shardBytes() > 0 ? "" : String.format(Locale.ROOT, "-of-%05d", set.parts());
        return set.shardPath("data-", part, number, suffix + ".arrow");
    }

    @Override
    public void finish(FileSet set, List<PartSummary> parts, PartFiles files) throws IOException {
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
        ObjectNode dict = JSON.objectNode();
        ArrayNode splits = dict.putArray("splits");
        sets.forEach(set -> splits.add(set.split()));
        CountedFile.write(files, "dataset_dict.json", CanonicalJson.indented(dict));
    }
}
