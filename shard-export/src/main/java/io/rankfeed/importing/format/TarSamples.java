package io.rankfeed.importing.format;

import io.rankfeed.importing.index.Damages;
import io.rankfeed.importing.index.IndexedColumn;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Values;
import io.rankfeed.importing.tar.SampleMember;
import io.rankfeed.importing.tar.TarReader.Member;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.cache.FileBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Groups the members of a tar to samples. */
final class TarSamples {
    private static final int MAX_INTEGER_BYTES = 32;

    private final String path;
    private final FileBytes file;
    private final Set<String> names;
    private final Map<String, Values> columns = new LinkedHashMap<>();
    private final Map<String, String> extensionOf = new HashMap<>();
    private final Map<String, String> refused = new TreeMap<>();
    private final List<String> keys = new ArrayList<>();
    private final Damages damages = new Damages();
    private final Map<String, Member> sample = new LinkedHashMap<>();
    private @Nullable String key;

    /**
     * @param path of the file below the root, for damage
     * @param names the columns that are fed, empty for all; integers of others are not parsed
     */
    TarSamples(String path, FileBytes file, Set<String> names) {
        this.path = path;
        this.file = file;
        this.names = names;
    }

    /** Adds a member to the sample of its key; a member of another key than that before it begins a sample. */
    void add(SampleMember named) {
        if (!named.key().equals(key)) {
            endSample();
            key = named.key();
        }
        Member member = named.member();
        if (sample.putIfAbsent(named.extension(), member) != null) {
            damages.addSample(
                    keys.size(), path, member.offset(), "member '" + member.name() + "' is a duplicate in its sample");
        }
    }

    IndexedPart end() {
        endSample();
        List<IndexedColumn> indexed = new ArrayList<>();
        columns.forEach((name, values) -> indexed.add(
                new IndexedColumn(name, dtype(extensionOf.getOrDefault(name, "")), Shape.scalar(), 0, values)));
        return new IndexedPart(keys.size(), indexed, keys, false, refused, damages);
    }

    /** Ends with the sample before the last one: the file has no more members after it, and should have some. */
    IndexedPart endDamaged(long offset, String what) {
        damages.addRest(path, offset, "the samples from " + keys.size() + " on are lost: " + what);
        sample.clear();
        key = null;
        return end();
    }

    private static DType dtype(String extension) {
        if (SampleMember.isInteger(extension)) {
            return DType.INT64;
        }
        return SampleMember.isText(extension) ? DType.STRING : DType.BINARY;
    }

    private void endSample() {
        if (key == null) {
            return;
        }
        int row = keys.size();
        sample.forEach((extension, member) -> {
            String name = name(extension, member);
            if (!refused.containsKey(name)) {
                put(columns.computeIfAbsent(name, first -> empty(extension, row)), row, member, isFed(name));
            }
        });
        for (Values values : columns.values()) {
            if (values.rows() == row) {
                putMissing(values, row);
            }
        }
        keys.add(key);
        sample.clear();
    }

    private String name(String extension, Member member) {
        String name = SampleMember.column(extension);
        if (!Field.isName(name)) {
            refused.put(name, "the name of a column " + Field.NAME_RULE);
        }
        String other = extensionOf.putIfAbsent(name, extension);
        if (other != null && !other.equals(extension)) {
            throw Folders.unsupported(
                    file,
                    "member '" + member.name() + "': the extensions " + other + " and " + extension
                            + " give the same column name; rename one of them");
        }
        return name;
    }

    /** The column of an extension that the samples before this one lack. */
    private Values empty(String extension, int rows) {
        if (columns.size() == SampleSchema.MAX_FIELDS) {
            throw Folders.unsupported(
                    file,
                    "has more than " + SampleSchema.MAX_FIELDS + " extensions; the key of a sample ends at the first"
                            + " dot of the name, as in 0001.jpg and 0001.json: rename the members");
        }
        Values values = SampleMember.isInteger(extension) ? new Values.Numbers() : new Values.Ranges();
        for (int row = 0; row < rows; row++) {
            putMissing(values, row);
        }
        return values;
    }

    private boolean isFed(String name) {
        return names.isEmpty() || names.contains(name);
    }

    private void put(Values values, int row, Member member, boolean isFed) {
        if (values instanceof Values.Ranges ranges) {
            ranges.add(member.dataOffset(), member.bytes());
        } else if (values instanceof Values.Numbers numbers) {
            numbers.add(isFed ? integer(row, member) : 0);
        }
    }

    private void putMissing(Values values, int row) {
        if (values instanceof Values.Numbers numbers) {
            numbers.addMissing();
        } else if (values instanceof Values.Ranges ranges && damages.isDamaged(row)) {
            ranges.addDamaged();
        } else if (values instanceof Values.Ranges ranges) {
            ranges.addMissing();
        }
    }

    private long integer(int row, Member member) {
        if (member.bytes() <= MAX_INTEGER_BYTES) {
            byte[] text =
                    file.read(member.dataOffset(), member.bytes(), "an integer").array();
            try {
                return Long.parseLong(new String(text, StandardCharsets.US_ASCII).strip());
            } catch (NumberFormatException e) {
                // Reported below, as a text that is too long.
            }
        }
        damages.addSample(row, path, member.dataOffset(), "member '" + member.name() + "' is not an integer");
        return 0;
    }
}
