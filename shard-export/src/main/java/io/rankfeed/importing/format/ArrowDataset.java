package io.rankfeed.importing.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.StrictJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Folders that {@code save_to_disk} of Hugging Face wrote, and other Arrow files without compression. Each file is a part. */
final class ArrowDataset extends DatasetOfFiles {
    static final String EXTENSION = ".arrow";
    static final String STATE = "state.json";
    static final String SPLITS = "dataset_dict.json";

    private static final int MAX_JSON_BYTES = 16 << 20;

    private final DatasetRoot root;

    ArrowDataset(DatasetRoot root) {
        super(root, parts(root));
        this.root = root;
    }

    private static List<Part> parts(DatasetRoot root) {
        if (root.has(SPLITS)) {
            throw new ConfigException(root.shown("") + " has several splits; give the folder of one: "
                    + String.join(", ", root.list("").folders()));
        }
        return root.has(STATE) ? listed(root) : Folders.fileParts(root, EXTENSION);
    }

    /** The files that the state lists: others are left of an earlier dataset. */
    private static List<Part> listed(DatasetRoot root) {
        List<Part> listed = new ArrayList<>();
        for (JsonNode file : state(root).path("_data_files")) {
            String name = file.path("filename").asText("");
            if (name.isEmpty()) {
                throw new CorruptDataException(root.shown(STATE), "_data_files has an entry without a filename");
            }
            listed.add(new Part("", List.of(root.require(name))));
        }
        if (listed.isEmpty()) {
            throw new ConfigException(root.shown(STATE) + " lists no files");
        }
        return listed;
    }

    private static JsonNode state(DatasetRoot root) {
        try (OpenFile file = root.open(STATE)) {
            long bytes = Math.min(file.bytes().lengthBytes(), MAX_JSON_BYTES + 1L);
            return StrictJson.parse(file.bytes().read(0, bytes, "the file").array(), root.shown(STATE));
        } catch (IOException e) {
            throw Folders.unreadable(root.shown(STATE), e);
        }
    }

    @Override
    public String format() {
        return "huggingface";
    }

    @Override
    public List<String> otherFiles() {
        return Stream.of("dataset_info.json", STATE).filter(root::has).toList();
    }

    @Override
    IndexedPart index(String path, FileBytes file, Set<String> fed) {
        ArrowMessages messages = new ArrowMessages(file);
        List<ArrowField> fields = file.flatbuffer(0, "schema", () -> ArrowField.all(messages.schema()));
        List<Optional<ArrowColumn>> columns = new ArrayList<>();
        Map<String, String> refused = new TreeMap<>();
        Set<String> names = new HashSet<>();
        boolean isReachable = true;
        for (ArrowField field : fields) {
            if (!names.add(field.name())) {
                throw Folders.unsupported(file, "column '" + field.name() + "' is a duplicate");
            }
            isReachable &= field.isKnown();
            Optional<String> why = isReachable
                    ? ArrowColumn.refusal(field)
                    : Optional.of("values of type " + field + ", or of a column before it, are unsupported");
            why.ifPresent(reason -> refused.put(field.name(), reason));
            columns.add(why.isPresent() ? Optional.empty() : Optional.of(new ArrowColumn(field, path)));
        }
        Damages damages = new Damages();
        long rows = read(messages, file, fields, columns, damages, path);
        List<IndexedColumn> indexed = columns.stream()
                .flatMap(Optional::stream)
                .map(ArrowColumn::indexed)
                .toList();
        return new IndexedPart(rows, indexed, List.of(), false, refused, damages);
    }

    /** Reads all record batches, up to the first that is damaged, and returns their number of rows. */
    private static long read(
            ArrowMessages messages,
            FileBytes file,
            List<ArrowField> fields,
            List<Optional<ArrowColumn>> columns,
            Damages damages,
            String path) {
        long rows = 0;
        while (true) {
            long offset = messages.position();
            try {
                ArrowMessages.Batch batch = messages.nextBatch();
                if (batch == null) {
                    return rows;
                }
                rows = add(batch, file, fields, columns, rows, damages);
            } catch (CorruptDataException e) {
                long whole = rows;
                columns.forEach(column -> column.ifPresent(cut -> cut.cut(whole)));
                damages.addRest(path, offset, "the rows from " + rows + " on are lost: " + e.getMessage());
                return rows;
            }
        }
    }

    /** Adds a record batch to all columns, and returns the number of rows with its own. */
    private static long add(
            ArrowMessages.Batch batch,
            FileBytes file,
            List<ArrowField> fields,
            List<Optional<ArrowColumn>> columns,
            long first,
            Damages damages) {
        return file.flatbuffer(batch.offset(), "record batch", () -> {
            long rows = batch.header().length();
            if (rows < 0 || rows > Integer.MAX_VALUE - 8 - first) {
                throw file.damage(batch.offset(), "a record batch of " + rows + " rows is invalid");
            }
            ArrowBuffers buffers = new ArrowBuffers(file, batch);
            // What follows the last column that is fed may have a number of buffers that is not known.
            long left = columns.stream().filter(Optional::isPresent).count();
            for (int i = 0; left > 0; i++) {
                if (columns.get(i).isPresent()) {
                    columns.get(i).get().add(buffers, rows, first, damages);
                    left--;
                } else {
                    fields.get(i).skip(buffers);
                }
            }
            return first + rows;
        });
    }
}
