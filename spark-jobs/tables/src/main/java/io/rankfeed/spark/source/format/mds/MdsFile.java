package io.rankfeed.spark.source.format.mds;

import com.github.luben.zstd.ZstdInputStream;
import io.rankfeed.importing.tar.ForwardBytes;
import io.rankfeed.schema.cache.CacheSource;
import io.rankfeed.schema.cache.FileBytes;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.source.format.StoredBytes;
import io.rankfeed.spark.source.format.StoredStream;
import io.rankfeed.spark.source.format.mds.MdsShard.ShardFile;
import io.rankfeed.spark.source.jsonl.GzipMembers;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** A shard: u32 samples n, u32 offset of each sample and of the end, its configuration in JSON, the samples. */
final class MdsFile implements Closeable {
    /** Names of hashes in Java by their names in Python; others are not checked. */
    private static final Map<String, String> DIGESTS = Map.of(
            "md5",
            "MD5",
            "sha1",
            "SHA-1",
            "sha224",
            "SHA-224",
            "sha256",
            "SHA-256",
            "sha384",
            "SHA-384",
            "sha512",
            "SHA-512",
            "sha3_256",
            "SHA3-256",
            "sha3_512",
            "SHA3-512");

    private final ForwardBytes bytes;
    private final Closeable file;
    private final long[] offsets;

    private MdsFile(ForwardBytes bytes, Closeable file, MdsShard shard) {
        this.bytes = bytes;
        this.file = file;
        long samples =
                u32(bytes.read(0, Integer.BYTES, "the number of samples")).get(0) & 0xffff_ffffL;
        if (samples != shard.samples()) {
            throw bytes.damage(0, "has " + samples + " samples, index.json lists " + shard.samples());
        } else if (bytes.lengthBytes() != shard.raw().bytes()) {
            throw bytes.damage(
                    bytes.lengthBytes(),
                    "the file ends here, index.json lists " + shard.raw().bytes() + " bytes");
        }
        var stored = u32(bytes.read(Integer.BYTES, Integer.BYTES * (samples + 1), "the offsets of samples"));
        offsets = new long[(int) samples + 1];
        long last = Integer.BYTES * (samples + 2);
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = stored.get(i) & 0xffff_ffffL;
            if (offsets[i] < last || offsets[i] > bytes.lengthBytes()) {
                throw bytes.damage(
                        Integer.BYTES * (i + 1L), "offset " + offsets[i] + " of sample " + i + " is invalid");
            }
            last = offsets[i];
        }
        if (last != bytes.lengthBytes()) {
            throw bytes.damage(last, "the last sample ends here, and the file at " + bytes.lengthBytes());
        }
    }

    private static java.nio.IntBuffer u32(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    }

    /** @throws CorruptDataException if it is not complete, or contradicts its index */
    static MdsFile open(String path, MdsShard shard, Configuration conf) throws IOException {
        boolean isZipped = !shard.compression().isEmpty()
                && path.endsWith("/" + shard.zip().name());
        if (isZipped) {
            byte[] raw = decompressed(path, shard, conf);
            return new MdsFile(ForwardBytes.of(new FileBytes(source(raw), path + " (decompressed)")), () -> {}, shard);
        }
        StoredStream stream = StoredStream.open(path, conf);
        try {
            return new MdsFile(stream, stream, shard);
        } catch (RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    private static CacheSource source(byte[] bytes) {
        return new CacheSource() {
            @Override
            public long size() {
                return bytes.length;
            }

            @Override
            public int read(ByteBuffer to, long offset) {
                int length = Math.min(to.remaining(), bytes.length - (int) offset);
                to.put(bytes, (int) offset, length);
                return length;
            }
        };
    }

    /** Memory grows with the bytes that come out, up to one more than the index lists. */
    private static byte[] decompressed(String path, MdsShard shard, Configuration conf) throws IOException {
        String name = shard.compression().replaceFirst(":.*", "");
        byte[] zip;
        try (StoredBytes file = StoredBytes.open(new Path(path), conf)) {
            zip = file.read(0, file.lengthBytes(), "the shard");
        }
        int most = (int) Math.min(StoredBytes.MAX_BYTES, shard.raw().bytes() + 1);
        try (InputStream in = decompressing(name, new ByteArrayInputStream(zip), path)) {
            return in.readNBytes(most);
        } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new CorruptDataException(path, "invalid " + name + " data: " + e.getMessage(), e);
        }
    }

    private static InputStream decompressing(String name, InputStream zip, String path) throws IOException {
        return switch (name) {
            case "zstd" -> new ZstdInputStream(zip);
            case "gz" -> new GzipMembers(zip);
            case "bz2" -> new BZip2CompressorInputStream(zip, true);
            default ->
                throw new ConfigException(path + ": compression '" + name + "' is not supported, only zstd, gz and bz2;"
                        + " write the dataset again, or decompress the shards next to it");
        };
    }

    /** @throws CorruptDataException if the file has another hash than its index lists */
    static void checkHashes(String path, ShardFile listed, Configuration conf) throws IOException {
        for (Map.Entry<String, String> hash : listed.hashes().entrySet()) {
            String algorithm = DIGESTS.get(hash.getKey());
            if (algorithm == null) {
                continue;
            }
            try (StoredBytes file = StoredBytes.open(new Path(path), conf)) {
                MessageDigest digest = MessageDigest.getInstance(algorithm);
                for (long at = 0; at < file.lengthBytes(); at += 1 << 20) {
                    digest.update(file.read(at, Math.min(1 << 20, file.lengthBytes() - at), "the shard"));
                }
                String found = HexFormat.of().formatHex(digest.digest());
                if (!found.equals(hash.getValue().toLowerCase(Locale.ROOT))) {
                    throw new CorruptDataException(
                            path, "has the " + hash.getKey() + " " + found + ", index.json lists " + hash.getValue());
                }
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    int samples() {
        return offsets.length - 1;
    }

    ByteBuffer sample(int number) {
        byte[] sample = bytes.read(offsets[number], offsets[number + 1] - offsets[number], "sample " + number);
        return ByteBuffer.wrap(sample).order(ByteOrder.LITTLE_ENDIAN);
    }

    CorruptDataException damage(int number, String what) {
        return bytes.damage(offsets[number], "sample " + number + what);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
