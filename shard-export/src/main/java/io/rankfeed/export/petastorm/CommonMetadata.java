package io.rankfeed.export.petastorm;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.Util;

/** The file that makes a folder of Parquet files a Petastorm dataset: a footer without row groups. */
public final class CommonMetadata {
    public static final String FILE_NAME = "_common_metadata";

    /** An upper bound on the metadata of any dataset, which includes indexes of row groups. */
    public static final int MAX_FILE_BYTES = 256 << 20;

    private static final int MAX_PICKLE_BYTES = 16 << 20;
    private static final String UNISCHEMA = "dataset-toolkit.unischema.v1";
    private static final String ROW_GROUPS = "dataset-toolkit.num_row_groups_per_file.v1";
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private CommonMetadata() {}

    /**
     * The Unischema in the file.
     *
     * @param file its name
     * @throws CorruptDataException if there is none, or its pickle is not a Unischema's
     */
    public static Unischema unischema(byte[] bytes, String file) {
        return find(bytes, file)
                .orElseThrow(() -> new CorruptDataException(
                        file,
                        "has no " + UNISCHEMA + "; read the folder as parquet, or write the metadata with"
                                + " petastorm-generate-metadata"));
    }

    /** The Unischema in the file; empty for a file of another writer, which has none. */
    public static Optional<Unischema> find(byte[] bytes, String file) {
        FooterKeyValues.Value pickle = FooterKeyValues.read(bytes, file).get(UNISCHEMA);
        if (pickle == null) {
            return Optional.empty();
        } else if (pickle.bytes().length > MAX_PICKLE_BYTES) {
            throw new CorruptDataException(
                    file,
                    pickle.offset(),
                    "has a Unischema of " + pickle.bytes().length + " bytes; at most " + MAX_PICKLE_BYTES);
        }
        return Optional.of(UnischemaPickle.read(pickle.bytes(), file, pickle.offset()));
    }

    /**
     * The file for a folder whose files have one row group each.
     *
     * @param footer of one of the files: its schema and its metadata are here too
     * @param files their names in the folder
     */
    public static byte[] of(Unischema schema, byte[] footer, SortedSet<String> files) throws IOException {
        FileMetaData data = Util.readFileMetaData(new ByteArrayInputStream(footer));
        FileMetaData common = new FileMetaData(data.getVersion(), data.getSchema(), 0, List.of());
        common.setCreated_by(data.getCreated_by());
        common.setColumn_orders(data.getColumn_orders());
        List<KeyValue> pairs = new ArrayList<>(requireNonNullElse(data.getKey_value_metadata(), List.of()));
        pairs.add(pair(UNISCHEMA, new String(UnischemaPickler.write(schema), StandardCharsets.US_ASCII)));
        ObjectNode rowGroups = JsonNodeFactory.instance.objectNode();
        files.forEach(file -> rowGroups.put(file, 1));
        pairs.add(pair(ROW_GROUPS, CanonicalJson.compactText(rowGroups)));
        common.setKey_value_metadata(pairs);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(MAGIC);
        Util.writeFileMetaData(common, out);
        int length = out.size() - MAGIC.length;
        out.write(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .array());
        out.write(MAGIC);
        return out.toByteArray();
    }

    private static KeyValue pair(String key, String value) {
        return new KeyValue(key).setValue(value);
    }
}
