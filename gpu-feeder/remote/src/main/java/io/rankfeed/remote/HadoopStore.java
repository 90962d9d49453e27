package io.rankfeed.remote;

import io.rankfeed.feeder.remote.RemoteStore;
import io.rankfeed.schema.store.StoredFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A store that reads with any file system class of Hadoop, configured by {@code core-site.xml} and
 * {@code hdfs-site.xml} of the class path.
 */
public final class HadoopStore implements RemoteStore {
    private final Configuration conf = new Configuration();

    @Override
    public boolean knows(String scheme) {
        try {
            FileSystem.getFileSystemClass(scheme, conf);
            return true;
        } catch (IOException | RuntimeException | LinkageError e) {
            // No class is configured for the scheme, or the configured class (perhaps of a core-site.xml) is missing.
            return false;
        }
    }

    @Override
    public SeekableByteChannel open(URI file) throws IOException {
        Path path = new Path(file);
        FileSystem fs = path.getFileSystem(conf);
        try {
            FileStatus status = fs.getFileStatus(path);
            if (!status.isFile()) {
                throw new NoSuchFileException(file + " is a folder");
            }
            return new HadoopChannel(fs.open(path), status.getLen());
        } catch (FileNotFoundException e) {
            NoSuchFileException missing = new NoSuchFileException(file.toString());
            missing.initCause(e);
            throw missing;
        }
    }

    @Override
    public Optional<StoredFile> find(URI file) throws IOException {
        Path path = new Path(file);
        try {
            return Optional.of(stored(path.getFileSystem(conf).getFileStatus(path)));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<StoredFile> list(URI folder) throws IOException {
        Path path = new Path(folder);
        try {
            return Stream.of(path.getFileSystem(conf).listStatus(path))
                    .map(HadoopStore::stored)
                    .sorted(Comparator.comparing(StoredFile::path))
                    .toList();
        } catch (FileNotFoundException e) {
            return List.of();
        }
    }

    private static StoredFile stored(FileStatus status) {
        return new StoredFile(
                status.getPath().toString(), status.isDirectory(), status.getLen(), status.getBlockSize());
    }
}
