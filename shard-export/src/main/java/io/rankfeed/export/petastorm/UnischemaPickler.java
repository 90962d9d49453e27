package io.rankfeed.export.petastorm;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the pickle of a Unischema, in protocol 0: ASCII, so that it passes through Parquet writers that take metadata
 * for text, and loadable by every Python. One object per pickle.
 */
final class UnischemaPickler {
    private final StringBuilder out = new StringBuilder();
    private final Map<Object, Integer> memo = new HashMap<>();

    private UnischemaPickler() {}

    static byte[] write(Unischema schema) {
        UnischemaPickler pickler = new UnischemaPickler();
        pickler.schema(schema);
        return pickler.out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void schema(Unischema schema) {
        instance(PickleNames.SCHEMA);
        out.append("(d");
        text("_name");
        text(schema.name());
        out.append('s');
        text("_fields");
        global(PickleNames.ORDERED_DICT);
        out.append("(tR");
        for (UnischemaField field : schema.fields()) {
            text(field.name());
            field(field);
            out.append('s');
        }
        out.append('s');
        // Petastorm gives its schema an attribute per field, the same object; it leaves out names that it has itself.
        for (UnischemaField field : schema.fields()) {
            if (!ClassAttributes.UNISCHEMA.contains(field.name())) {
                text(field.name());
                recall(field);
                out.append('s');
            }
        }
        out.append("b.");
    }

    private void field(UnischemaField field) {
        global(PickleNames.RECONSTRUCTOR);
        out.append('(');
        global(PickleNames.FIELD);
        global(PickleNames.TUPLE);
        out.append('(');
        text(field.name());
        global(new PickleNode.Name(
                field.type() == NumpyType.DECIMAL ? "decimal" : PickleNames.NUMPY,
                field.type().id()));
        out.append('(');
        for (int dim : field.shape()) {
            out.append(dim == UnischemaField.ANY ? "N" : "I" + dim + "\n");
        }
        out.append('t');
        codec(field.codec());
        out.append(field.nullable() ? "I01\n" : "I00\n");
        out.append("ttR");
        remember(field);
    }

    private void codec(UnischemaCodec codec) {
        if (codec instanceof UnischemaCodec.None) {
            out.append('N');
        } else if (codec instanceof UnischemaCodec.Scalar scalar) {
            instance(new PickleNode.Name(PickleNames.CODECS, "ScalarCodec"));
            out.append("(d");
            text("_spark_type");
            instance(new PickleNode.Name(PickleNames.SPARK_TYPES, scalar.sparkType()));
            out.append("sb");
        } else if (codec instanceof UnischemaCodec.CompressedImage image) {
            instance(new PickleNode.Name(PickleNames.CODECS, "CompressedImageCodec"));
            out.append("(d");
            text("_image_codec");
            text("." + image.format());
            out.append('s');
            text("_quality");
            out.append('I').append(image.quality()).append("\nsb");
        } else {
            boolean compressed = codec instanceof UnischemaCodec.CompressedNdarray;
            instance(new PickleNode.Name(PickleNames.CODECS, compressed ? "CompressedNdarrayCodec" : "NdarrayCodec"));
        }
    }

    private void instance(PickleNode.Name of) {
        global(PickleNames.RECONSTRUCTOR);
        out.append('(');
        global(of);
        global(PickleNames.OBJECT);
        out.append("NtR");
    }

    /** Writes the names of Python 2, which Python 3 still reads; Petastorm's own loader accepts no other. */
    private void global(PickleNode.Name name) {
        if (memo.containsKey(name)) {
            recall(name);
            return;
        }
        String module =
                switch (name.module()) {
                    case "builtins" -> "__builtin__";
                    case "copyreg" -> "copy_reg";
                    default -> name.module();
                };
        out.append('c').append(module).append('\n').append(name.name()).append('\n');
        remember(name);
    }

    private void text(String text) {
        out.append('V');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '\\') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('\n');
    }

    private void remember(Object thing) {
        out.append('p').append(memo.size()).append('\n');
        memo.put(thing, memo.size());
    }

    private void recall(Object thing) {
        out.append('g').append(memo.get(thing)).append('\n');
    }
}
