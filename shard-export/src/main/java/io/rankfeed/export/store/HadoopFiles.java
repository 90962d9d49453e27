package io.rankfeed.export.store;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.store.LocalFiles;
import io.rankfeed.schema.store.Store;
import io.rankfeed.schema.store.StoredFile;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A file system of Hadoop. */
public final class HadoopFiles implements Store {
    private static final Set<String> WITH_BLOCKS = Set.of("hdfs", "webhdfs", "swebhdfs", "viewfs");

    private final FileSystem fs;

    HadoopFiles(FileSystem fs) {
        this.fs = fs;
    }

    /**
     * The store of a path; a path without a scheme is in Hadoop's default file system.
     *
     * @throws ConfigException if the words are not a path, or there is no client for it
     */
    public static Store of(String path, Configuration conf) {
        FileSystem fs = Storage.of(path(path), conf);
        return fs instanceof RawLocalFileSystem ? LocalFiles.INSTANCE : new HadoopFiles(fs);
    }

    @Override
    public Optional<StoredFile> find(String path) {
        Path file = path(path);
        try {
            return Optional.of(stored(fs.getFileStatus(file)));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw Storage.failed("read", file, e);
        }
    }

    @Override
    public List<StoredFile> list(String folder) {
        Path path = path(folder);
        try {
            return Stream.of(fs.listStatus(path))
                    .map(HadoopFiles::stored)
                    .sorted(Comparator.comparing(StoredFile::path))
                    .toList();
        } catch (FileNotFoundException e) {
            return List.of();
        } catch (IOException e) {
            throw Storage.failed("read", path, e);
        }
    }

    @Override
    public byte[] read(String file, long fromByte, int bytes) {
        byte[] part = new byte[bytes];
        try (FSDataInputStream in = fs.open(path(file))) {
            in.readFully(fromByte, part);
            return part;
        } catch (FileNotFoundException e) {
            throw new CorruptDataException(file, "does not exist", e);
        } catch (EOFException e) {
            throw new CorruptDataException(file, fromByte, "the file ended while " + bytes + " bytes were read", e);
        } catch (IOException e) {
            throw Storage.failed("read", path(file), e);
        }
    }

    @Override
    public boolean hasBlocks() {
        return WITH_BLOCKS.contains(fs.getUri().getScheme());
    }

    private static StoredFile stored(FileStatus status) {
        return new StoredFile(
                status.getPath().toString(), status.isDirectory(), status.getLen(), status.getBlockSize());
    }

    private static Path path(String words) {
        try {
            return new Path(words);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("'" + words + "' is not a path: " + e.getMessage(), e);
        }
    }
}
