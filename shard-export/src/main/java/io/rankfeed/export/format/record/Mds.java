package io.rankfeed.export.format.record;

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
import io.rankfeed.schema.json.CanonicalJson;
import java.io.IOException;
import java.util.List;

/**
 * MosaicML's shards with their {@code index.json}. Columns are sorted by name. A column that may be without a value has a
 * second one, {@code <name>.valid}, as lanes have.
 */
public final class Mds implements Format {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int VERSION = 2;

    @Override
    public String name() {
        return "mds";
    }

    @Override
    public boolean onePart() {
        return false;
    }

    @Override
    public void check(FileSet set) {
        MdsColumn.of(set.schema());
    }

    @Override
    public FormatWriter open(FileSet set, Part part, PartFiles files) {
        List<MdsColumn> columns = MdsColumn.of(set.schema());
        return new MdsWriter(set, columns, CanonicalJson.compact(config(set, columns)), part, files);
    }

    @Override
    public void finish(FileSet set, List<PartSummary> parts, PartFiles files) throws IOException {
        List<MdsColumn> columns = MdsColumn.of(set.schema());
        ObjectNode index = JSON.objectNode().put("version", VERSION);
        ArrayNode shards = index.putArray("shards");
        for (PartSummary part : parts) {
            for (FormatFile file : part.files()) {
                ObjectNode shard =
                        shards.addObject().put("samples", file.rows()).putNull("zip_data");
                shard.putObject("raw_data")
                        .put("basename", file.path().substring(file.path().lastIndexOf('/') + 1))
                        .put("bytes", file.lengthBytes())
                        .putObject("hashes");
                shard.setAll(config(set, columns));
            }
        }
        CountedFile.write(files, set.split() + "/index.json", CanonicalJson.indented(index));
    }

    /** What the library's reader gets as arguments, so no member may lack and none may be added. */
    private static ObjectNode config(FileSet set, List<MdsColumn> columns) {
        ObjectNode config = JSON.objectNode()
                .put("version", VERSION)
                .put("format", "mds")
                .putNull("compression")
                .put("size_limit", MdsWriter.sizeLimit(set));
        config.putArray("hashes");
        ArrayNode names = config.putArray("column_names");
        ArrayNode encodings = config.putArray("column_encodings");
        ArrayNode sizes = config.putArray("column_sizes");
        for (MdsColumn column : columns) {
            names.add(column.name());
            encodings.add(column.encoding());
            if (column.sizeBytes() < 0) {
                sizes.addNull();
            } else {
                sizes.add(column.sizeBytes());
            }
        }
        return config;
    }
}
