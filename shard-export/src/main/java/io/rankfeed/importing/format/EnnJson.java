package io.rankfeed.importing.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rankfeed.importing.index.DatasetRoot;
import io.rankfeed.importing.index.OpenFile;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A JSON file of an ENN store. Its error messages name the file and the member. */
final class EnnJson {
    private static final int MAX_BYTES = 1 << 20;

    /** Python writes NaN and infinite numbers as words. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final String shown;
    private final JsonNode json;

    private EnnJson(String shown, JsonNode json) {
        this.shown = shown;
        this.json = json;
    }

    static EnnJson read(DatasetRoot root, String path) {
        String shown = root.shown(path);
        try (OpenFile file = root.open(path)) {
            long bytes = file.bytes().lengthBytes();
            if (bytes > MAX_BYTES) {
                throw new CorruptDataException(shown, "has " + bytes + " bytes; at most " + MAX_BYTES + " are read");
            }
            JsonNode json =
                    JSON.readTree(file.bytes().read(0, bytes, "the file").array());
            if (!json.isContainerNode()) {
                throw new CorruptDataException(shown, 0, "is not a JSON object or list");
            }
            return new EnnJson(shown, json);
        } catch (JsonProcessingException e) {
            long offset =
                    e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
            throw new CorruptDataException(shown, offset, "is not valid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw Folders.unreadable(shown, e);
        }
    }

    /** The folders of {@code multinode.json}: the elements of a list, or the values of an object. */
    List<String> folders() {
        List<String> folders = new ArrayList<>();
        for (JsonNode folder : json) {
            if (!folder.isTextual() || folder.textValue().isEmpty()) {
                throw new CorruptDataException(shown, "must have paths of folders, not " + folder);
            }
            folders.add(folder.textValue());
        }
        return folders;
    }

    /** The path of the labels; empty if {@code labels_path} is absent or {@code features_only} is true, as in ENN's reader. */
    Optional<String> labelsPath() {
        JsonNode path = json.path("labels_path");
        return path.isTextual() && !json.path("features_only").asBoolean(false)
                ? Optional.of(path.textValue())
                : Optional.empty();
    }

    String text(String name, String otherwise) {
        JsonNode value = json.path(name);
        if (!value.isMissingNode() && !value.isTextual()) {
            throw new CorruptDataException(shown, name + " must be a string, not " + value);
        }
        return value.asText(otherwise);
    }

    DType dtype(String name, String otherwise) {
        String dtype = json.path(name).isNull() ? otherwise : text(name, otherwise);
        try {
            DType found = DType.fromId(dtype);
            if (!found.isBytes()) {
                return found;
            }
        } catch (ConfigException e) {
            // The message below names file and member.
        }
        throw new ConfigException(shown + ": " + name + " '" + dtype + "' is not a type of numbers");
    }

    long count(String name) {
        return count(json.path(name), name);
    }

    int dimension(String name) {
        return dimension(json.path(name), name);
    }

    Shape shape(String name) {
        List<Integer> dims = new ArrayList<>();
        for (JsonNode dim : json.path(name)) {
            dims.add(dimension(dim, name));
        }
        try {
            return new Shape(dims);
        } catch (ConfigException e) {
            throw new CorruptDataException(shown, name + ": " + e.getMessage());
        }
    }

    private long count(JsonNode value, String name) {
        if (!value.canConvertToLong() || !value.isIntegralNumber() || value.longValue() < 0) {
            throw new CorruptDataException(shown, name + " must be an integer of at least 0, not " + value);
        }
        return value.longValue();
    }

    private int dimension(JsonNode value, String name) {
        long size = count(value, name);
        if (size == 0 || size > Integer.MAX_VALUE) {
            throw new CorruptDataException(shown, name + " has a dimension of " + size);
        }
        return (int) size;
    }
}
