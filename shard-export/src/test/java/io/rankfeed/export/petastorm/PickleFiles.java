package io.rankfeed.export.petastorm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Pickles for the tests: those that petastorm 0.13.1 wrote, and those that nobody should load. */
final class PickleFiles {
    private PickleFiles() {}

    /** One schema, as {@code pickle.dumps(schema, protocol)} gave it. */
    static byte[] ofPetastorm(int protocol) {
        String name = "/petastorm/unischema-" + protocol + ".pickle";
        try (InputStream in = Objects.requireNonNull(PickleFiles.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] of(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A schema of one field, the way Python 2 with Spark's named tuples wrote it. */
    static String ofPython2(String codec) {
        return """
                ccopy_reg
                _reconstructor
                p1
                (cpetastorm.unischema
                Unischema
                p2
                c__builtin__
                object
                p3
                NtRp4
                (dp5
                S'_name'
                p6
                S'Old'
                sS'_fields'
                ccollections
                OrderedDict
                ((l(lS'm'
                acpyspark.serializers
                _restore
                (S'UnischemaField'
                (S'nullable'
                S'name'
                S'numpy_dtype'
                S'shape'
                S'codec'
                t(I01
                S'm'
                cnumpy
                string_
                (NI3
                t%sttRaatRsb.""".formatted(codec);
    }
}
