package io.rankfeed.spark.source.jsonl;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.spark.file.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * A range of a file, of whole lines, that one task reads.
 *
 * @param begin of the first line, in bytes
 * @param end of the last line, in bytes
 * @param firstLine its number, from 0
 */
public record LineRange(String file, long begin, long end, long firstLine) implements Serializable {
    private static final int BUFFER_BYTES = 1 << 18;

    /** A file from its begin to its end. */
    public static LineRange whole(String file) {
        return new LineRange(file, 0, Long.MAX_VALUE, 0);
    }

    /**
     * Returns ranges that cover all lines of the files. Large files are divided at line feeds, so that all cores have
     * work; they are read once for this, to count their lines. A gzipped file is not divided.
     *
     * @param rangeBytes length of a range, to the next line feed
     */
    static List<LineRange> of(SparkSession spark, Configuration conf, List<SourceFile> files, long rangeBytes) {
        List<LineRange> tried = new ArrayList<>();
        for (SourceFile file : files) {
            for (long at = rangeBytes;
                    !isGzipped(file.path().toString()) && at < file.status().getLen();
                    at += rangeBytes) {
                tried.add(new LineRange(file.path().toString(), at, at, 0));
            }
        }
        TaskConfiguration hadoop = new TaskConfiguration(conf);
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        TreeMap<String, List<Long>> begins = new TreeMap<>();
        if (!tried.isEmpty()) {
            context.parallelize(tried, tried.size())
                    .map(range -> new LineRange(range.file, range.lineBegin(hadoop.value()), 0, 0))
                    .collect()
                    .forEach(range -> begins.computeIfAbsent(range.file, file -> new ArrayList<>())
                            .add(range.begin));
        }
        List<LineRange> ranges = new ArrayList<>();
        for (SourceFile file : files) {
            long begin = 0;
            for (long next : begins.getOrDefault(file.path().toString(), List.of())) {
                if (next > begin && next < file.status().getLen()) {
                    ranges.add(new LineRange(file.path().toString(), begin, next, 0));
                    begin = next;
                }
            }
            ranges.add(new LineRange(file.path().toString(), begin, Long.MAX_VALUE, 0));
        }
        return ranges.size() == files.size() ? ranges : numbered(context, hadoop, ranges);
    }

    private static List<LineRange> numbered(
            JavaSparkContext context, TaskConfiguration hadoop, List<LineRange> ranges) {
        List<Long> counts = context.parallelize(ranges, ranges.size())
                .map(range -> range.isLast() ? 0L : range.lines(hadoop.value()))
                .collect();
        List<LineRange> numbered = new ArrayList<>();
        long line = 0;
        for (int i = 0; i < ranges.size(); i++) {
            LineRange range = ranges.get(i);
            line = range.begin == 0 ? 0 : line + counts.get(i - 1);
            numbered.add(new LineRange(range.file, range.begin, range.end, line));
        }
        return numbered;
    }

    static boolean isGzipped(String file) {
        return file.endsWith(".gz");
    }

    private boolean isLast() {
        return end == Long.MAX_VALUE;
    }

    /** The bytes from its begin; more than the range follow. */
    FSDataInputStream open(Configuration conf) throws IOException {
        Path path = new Path(file);
        FSDataInputStream in = Storage.of(path, conf).open(path);
        if (begin > 0) {
            in.seek(begin);
        }
        return in;
    }

    /**
     * Returns the offset of the first line that begins in this range or behind it; 0 if no line begins within the
     * maximum length of a line.
     */
    private long lineBegin(Configuration conf) {
        try (FSDataInputStream in = new LineRange(file, begin - 1, end, 0).open(conf)) {
            byte[] bytes = new byte[BUFFER_BYTES];
            long at = begin - 1;
            int read = in.read(bytes);
            while (read > 0 && at - begin <= JsonlLines.MAX_LINE_BYTES) {
                for (int i = 0; i < read; i++, at++) {
                    if (bytes[i] == '\n') {
                        return at + 1;
                    }
                }
                read = in.read(bytes);
            }
            return 0;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** The number of its lines, each of which ends. */
    private long lines(Configuration conf) {
        try (InputStream in = open(conf)) {
            byte[] bytes = new byte[BUFFER_BYTES];
            long lines = 0;
            boolean isAfterCr = false;
            long left = end - begin;
            while (left > 0) {
                int read = in.read(bytes, 0, (int) Math.min(bytes.length, left));
                if (read < 0) {
                    throw new EnvironmentException(file + " became shorter while it was read; run the job again");
                }
                for (int i = 0; i < read; i++) {
                    lines += (bytes[i] == '\r' || (bytes[i] == '\n' && !isAfterCr)) ? 1 : 0;
                    isAfterCr = bytes[i] == '\r';
                }
                left -= read;
            }
            return lines;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private EnvironmentException failed(IOException e) {
        return new EnvironmentException(IoReason.of("cannot read " + file, e), e);
    }
}
