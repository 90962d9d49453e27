package io.rankfeed.export.petastorm;

import io.rankfeed.export.petastorm.PickleNode.Flag;
import io.rankfeed.export.petastorm.PickleNode.Instance;
import io.rankfeed.export.petastorm.PickleNode.Mapping;
import io.rankfeed.export.petastorm.PickleNode.Name;
import io.rankfeed.export.petastorm.PickleNode.Nothing;
import io.rankfeed.export.petastorm.PickleNode.Sequence;
import io.rankfeed.export.petastorm.PickleNode.Text;
import io.rankfeed.export.petastorm.PickleNode.Whole;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Unischema out of the nodes of its pickle. */
final class UnischemaPickle {
    private static final int MAX_DIMENSIONS = Shape.MAX_RANK;

    private UnischemaPickle() {}

    /**
     * @param file where the pickle was read
     * @param offset of its first byte there
     * @throws CorruptDataException if it is not a pickle of a Unischema; nothing of it was executed
     */
    static Unischema read(byte[] pickle, String file, long offset) {
        try {
            return schema(PickleReader.read(pickle));
        } catch (PickleDamage e) {
            throw new CorruptDataException(
                    file,
                    offset + e.at(),
                    "the pickle of its Unischema " + e.getMessage()
                            + "; it was not executed: write the metadata again with petastorm-generate-metadata");
        }
    }

    private static Unischema schema(PickleNode root) throws PickleDamage {
        if (!(root instanceof Instance instance) || !instance.of().equals(PickleNames.SCHEMA)) {
            throw wrong("is not a Unischema");
        }
        Mapping state = instance.state();
        if (!(state.find("_fields") instanceof Mapping fields)) {
            throw wrong("has no fields");
        }
        if (fields.entries().isEmpty() || fields.entries().size() > SampleSchema.MAX_FIELDS) {
            throw wrong("has " + fields.entries().size() + " fields, where 1 to " + SampleSchema.MAX_FIELDS
                    + " can be read");
        }
        List<UnischemaField> read = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Mapping.Entry entry : fields.entries()) {
            UnischemaField field = field(entry.value());
            if (!(entry.key() instanceof Text key) || !key.value().equals(field.name()) || !names.add(field.name())) {
                throw wrong("has the field '" + Printable.of(field.name()) + "' twice or under another name");
            }
            read.add(field);
        }
        return new Unischema(state.find("_name") instanceof Text name ? name.value() : "schema", read);
    }

    private static UnischemaField field(PickleNode node) throws PickleDamage {
        if (!(node instanceof Instance instance)
                || !instance.of().equals(PickleNames.FIELD)
                || !(instance.args().get(0) instanceof Text name)
                || !(instance.args().get(1) instanceof Name type)
                || !(instance.args().get(2) instanceof Sequence shape)) {
            throw wrong("has a field that is not a UnischemaField");
        }
        String shown = Printable.of(name.value());
        NumpyType numpy = NumpyType.of(type).orElse(null);
        if (numpy == null) {
            throw wrong("gives the field '" + shown + "' the type " + type);
        }
        boolean nullable =
                switch (kind(instance.args().get(4))) {
                    case 't' -> true;
                    case 'f' -> false;
                    default -> throw wrong("does not say whether the field '" + shown + "' is nullable");
                };
        return new UnischemaField(
                name.value(),
                numpy,
                shape(shown, shape),
                codec(shown, instance.args().get(3)),
                nullable);
    }

    private static char kind(PickleNode nullable) {
        if (nullable instanceof Flag flag) {
            return flag.value() ? 't' : 'f';
        }
        return nullable == Nothing.NONE ? 'f' : '?';
    }

    private static List<Integer> shape(String field, Sequence shape) throws PickleDamage {
        List<Integer> dims = new ArrayList<>();
        for (PickleNode dim : shape.items()) {
            // Petastorm takes 0 for None.
            if (dim == Nothing.NONE || (dim instanceof Whole zero && zero.value() == 0)) {
                dims.add(UnischemaField.ANY);
            } else if (dim instanceof Whole whole && whole.value() > 0 && whole.value() <= Integer.MAX_VALUE) {
                dims.add((int) whole.value());
            } else {
                throw wrong("gives the field '" + field + "' a dimension that is not a number");
            }
        }
        if (dims.size() > MAX_DIMENSIONS) {
            throw wrong("gives the field '" + field + "' " + dims.size() + " dimensions");
        }
        return dims;
    }

    private static UnischemaCodec codec(String field, PickleNode node) throws PickleDamage {
        if (node == Nothing.NONE) {
            return new UnischemaCodec.None();
        }
        if (!(node instanceof Instance instance) || !instance.of().module().equals(PickleNames.CODECS)) {
            throw wrong("gives the field '" + field + "' a codec that is none");
        }
        Mapping state = instance.state();
        return switch (instance.of().name()) {
            case "NdarrayCodec" -> new UnischemaCodec.Ndarray();
            case "CompressedNdarrayCodec" -> new UnischemaCodec.CompressedNdarray();
            case "CompressedImageCodec" ->
                new UnischemaCodec.CompressedImage(format(state.find("_image_codec")), quality(state.find("_quality")));
            default -> {
                if (state.find("_spark_type") instanceof Instance spark
                        && spark.of().module().equals(PickleNames.SPARK_TYPES)) {
                    yield new UnischemaCodec.Scalar(spark.of().name());
                } else if (state.find("_spark_type") instanceof Name spark
                        && spark.module().equals(PickleNames.SPARK_TYPES)) {
                    yield new UnischemaCodec.Scalar(spark.name());
                }
                throw wrong("gives the field '" + field + "' a scalar codec without a type");
            }
        };
    }

    /** Petastorm writes {@code .png}; the bytes themselves decide what is read. */
    private static String format(@Nullable PickleNode node) {
        return node instanceof Text text && text.value().startsWith(".")
                ? text.value().substring(1)
                : "png";
    }

    private static int quality(@Nullable PickleNode node) {
        return node instanceof Whole whole ? (int) Math.max(0, Math.min(100, whole.value())) : 80;
    }

    private static PickleDamage wrong(String what) {
        return new PickleDamage(0, what);
    }
}
