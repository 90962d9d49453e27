package io.rankfeed.schema.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Xxh64Test {
    private static final long PRIME32 = 2654435761L;
    private static final long PRIME64 = 0x9E3779B185EBCA8DL;

    @ParameterizedTest
    @CsvSource({
        "0,   ef46db3751d8e999, ac75fda2929b17ef",
        "1,   e934a84adb052768, 5014607643a9b4c3",
        "4,   9136a0dca57457ee, caab286bd8e9fdb5",
        "14,  8282dcc4994e35c8, c3bd6bf63deb6df0",
        "31,  299b39a290e6d783, da673d5feb5c1d79",
        "32,  18b216492bb44b70, b3f33bdf93ade409",
        "33,  55c8dc3e578f5b59, e92c292f64bc3071",
        "222, b641ae8cb691c174, 20cb8ab7ae10c14a"
    })
    void theVectorsOfTheReferenceImplementationHold(int lengthBytes, String unseeded, String seeded) {
        byte[] bytes = sanityBuffer(lengthBytes);
        assertThat(Long.toHexString(Xxh64.hash(bytes, 0))).isEqualTo(unseeded);
        assertThat(Long.toHexString(Xxh64.hash(bytes, PRIME32))).isEqualTo(seeded);
    }

    @ParameterizedTest
    @CsvSource({"0", "7", "40", "222"})
    void aRangeHashesAsItsCopy(int lengthBytes) {
        byte[] whole = sanityBuffer(256);
        assertThat(Xxh64.hash(whole, 13, lengthBytes, 5))
                .isEqualTo(Xxh64.hash(Arrays.copyOfRange(whole, 13, 13 + lengthBytes), 5));
    }

    /** The test buffer of the reference implementation. */
    private static byte[] sanityBuffer(int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        long generator = PRIME32;
        for (int i = 0; i < lengthBytes; i++) {
            bytes[i] = (byte) (generator >>> 56);
            generator *= PRIME64;
        }
        return bytes;
    }
}
