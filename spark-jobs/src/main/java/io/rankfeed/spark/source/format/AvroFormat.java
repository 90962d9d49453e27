package io.rankfeed.spark.source.format;
import io.rankfeed.spark.file.SourceFile;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
public final class AvroFormat implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public StoredFile stored(SourceFile file, Configuration conf) { throw new IllegalStateException(); }
    @Override
    public FileRows rows(String file, List<String> columns, Configuration conf) { throw new IllegalStateException(); }
}
