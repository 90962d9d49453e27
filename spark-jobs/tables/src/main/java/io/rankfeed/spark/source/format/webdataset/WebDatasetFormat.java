package io.rankfeed.spark.source.format.webdataset;

import io.rankfeed.importing.tar.SampleMember;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.source.format.RowFormat;
import io.rankfeed.spark.source.format.StoredFile;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Tar files of WebDataset, plain or in gzip. */
public final class WebDatasetFormat implements RowFormat {
    private static final long serialVersionUID = 1L;

    /** The column of the samples' keys, as the library names it. */
    static final String KEY = "__key__";

    @Override
    public boolean isScanned() {
        return true;
    }

    @Override
    public StoredFile stored(SourceFile file, Configuration conf) throws IOException {
        Map<String, MemberType> found = new TreeMap<>();
        Map<String, String> extensionOf = new HashMap<>(Map.of(KEY, "(key)"));
        long rows = 0;
        try (WebDatasetFile tar = new WebDatasetFile(file.path().toString(), conf)) {
            for (; tar.nextSample() != null; rows++) {
                for (SampleMember member = tar.nextMember(); member != null; member = tar.nextMember()) {
                    String column = SampleMember.column(member.extension());
                    String other = extensionOf.putIfAbsent(column, member.extension());
                    if (other != null && !other.equals(member.extension())) {
                        throw new ConfigException(file.path() + ", byte "
                                + member.member().offset() + ": the extensions " + other + " and " + member.extension()
                                + " give the same column name; rename one of them");
                    }
                    found.merge(column, MemberType.of(member, tar.bytes()), WebDatasetFormat::common);
                }
            }
        }
        List<Column> columns = new ArrayList<>(List.of(new Column(KEY, "text", true)));
        Map<String, DataType> types = new HashMap<>(Map.of(KEY, DataTypes.StringType));
        found.forEach((name, type) -> {
            columns.add(new Column(name, type.words(), false));
            if (type.spark() != null) {
                types.put(name, type.spark());
            }
        });
        return new StoredFile(file, columns, types, OptionalLong.of(rows));
    }

    private static MemberType common(MemberType a, MemberType b) {
        return a.spark() == null || a.words().equals(b.words())
                ? a
                : new MemberType(a.words() + " and " + b.words(), null);
    }

    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) {
        WebDatasetFile tar = new WebDatasetFile(file, conf);
        return new FileRows() {
            @Override
            public @Nullable Object @Nullable [] next() {
                String key = tar.nextSample();
                if (key == null) {
                    return null;
                }
                @Nullable Object[] values = new @Nullable Object[columns.size()];
                for (SampleMember member = tar.nextMember(); member != null; member = tar.nextMember()) {
                    int column = columns.indexOf(SampleMember.column(member.extension()));
                    if (column >= 0) {
                        values[column] = MemberType.value(member, tar.bytes());
                    }
                }
                int column = columns.indexOf(KEY);
                if (column >= 0) {
                    values[column] = key;
                }
                return values;
            }

            @Override
            public void close() throws IOException {
                tar.close();
            }
        };
    }
}
