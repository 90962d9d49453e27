package io.rankfeed.schema.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A schema as JSON: {@code {"fields": [{"name", "dtype", "shape", "nullable"}]}} (docs/format/manifest.md, section 3). */
public final class SchemaJson {
    private SchemaJson() {}

    public static ObjectNode toJson(SampleSchema schema) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        ArrayNode fields = object.putArray("fields");
        for (Field field : schema.fields()) {
            fields.addObject()
                    .put("name", field.name())
                    .put("dtype", field.dtype().id())
                    .put("nullable", field.nullable())
                    .set("shape", toJson(field.shape()));
        }
        return object;
    }

    public static ArrayNode toJson(Shape shape) {
        ArrayNode dims = JsonNodeFactory.instance.arrayNode();
        for (int dim : shape.dims()) {
            if (dim == Shape.VARIABLE) {
                dims.addNull();
            } else {
                dims.add(dim);
            }
        }
        return dims;
    }

    /** @throws CorruptDataException if this is not a schema */
    public static SampleSchema fromJson(JsonObject object) {
        object.only("fields");
        List<Field> fields = new ArrayList<>();
        for (JsonObject field : object.objects("fields")) {
            fields.add(field(field));
        }
        try {
            return new SampleSchema(fields);
        } catch (ConfigException e) {
            throw new CorruptDataException(object.file(), e.getMessage(), e);
        }
    }

    /** The text of a shape, as in Arrow field metadata. */
    public static Shape shapeOf(String json, String file) {
        JsonNode tree = StrictJson.parse(json.getBytes(StandardCharsets.UTF_8), file);
        return shape(tree, new CorruptDataException(file, "'" + json + "' is not a shape"));
    }

    private static Field field(JsonObject object) {
        object.only("name", "dtype", "shape", "nullable");
        JsonNode nullable = object.node("nullable");
        if (!nullable.isBoolean()) {
            throw object.damage("nullable", "must be true or false");
        }
        try {
            return new Field(
                    object.text("name"),
                    DType.fromId(object.text("dtype")),
                    shape(object.node("shape"), object.damage("shape", "is not a shape")),
                    nullable.booleanValue());
        } catch (ConfigException e) {
            throw new CorruptDataException(object.file(), e.getMessage(), e);
        }
    }

    private static Shape shape(JsonNode dims, CorruptDataException damage) {
        if (!dims.isArray() || dims.size() > Shape.MAX_RANK) {
            throw damage;
        }
        List<Integer> values = new ArrayList<>();
        for (JsonNode dim : dims) {
            boolean fixed = dim.isInt() && dim.intValue() > 0;
            if (!fixed && !dim.isNull()) {
                throw damage;
            }
            values.add(dim.isNull() ? Shape.VARIABLE : dim.intValue());
        }
        try {
            return new Shape(values);
        } catch (ConfigException e) {
            damage.addSuppressed(e);
            throw damage;
        }
    }
}
