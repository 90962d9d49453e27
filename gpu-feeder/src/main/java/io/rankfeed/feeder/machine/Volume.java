package io.rankfeed.feeder.machine;

import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The file system of a folder.
 *
 * @param folder the folder, or its nearest parent that exists
 * @param type as the kernel names it: {@code ext4}, {@code tmpfs}, {@code nfs4}
 * @param isWritable whether it is a folder, and this user may write into it
 */
public record Volume(Path folder, String type, long bytes, long freeBytes, boolean isWritable) {
    /** @throws EnvironmentException if the folder cannot be read */
    static Volume of(Path folder) {
        Path there = folder.toAbsolutePath().normalize();
        while (!Files.exists(there)) {
            there = Objects.requireNonNull(there.getParent(), "the root exists");
        }
        try {
            FileStore store = Files.getFileStore(there);
            boolean isWritable = Files.isDirectory(there) && Files.isWritable(there);
            return new Volume(there, store.type(), store.getTotalSpace(), store.getUsableSpace(), isWritable);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("the file system of " + there + " cannot be read", e), e);
        }
    }

    boolean isMemory() {
        return type.equals("tmpfs") || type.equals("ramfs");
    }

    /** Whether the files are on another machine, by the names of Linux's file systems. */
    boolean isRemote() {
        return type.matches("nfs.*|cifs|smb.*|ceph|lustre|gpfs|beegfs.*|glusterfs|afs|9p|fuse\\..*|fuse");
    }
}
