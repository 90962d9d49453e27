package io.rankfeed.feeder.metrics;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A request of HTTP as it is written: a client of a library would correct it. */
final class RawRequest implements AutoCloseable {
    private final Socket socket;

    /** @param headers lines with their ends */
    RawRequest(int port, String first, String... headers) throws IOException {
        this(InetAddress.getLoopbackAddress(), port, first, headers);
    }

    RawRequest(InetAddress to, int port, String first, String... headers) throws IOException {
        socket = new Socket(to, port);
        String request = first + " HTTP/1.1\r\nConnection: close\r\n" + String.join("", headers) + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The whole answer, to the end of the connection. */
    String answer() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    BufferedReader lines() throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Skips lines to the first one that begins so, and returns it. */
    static String skipTo(BufferedReader lines, String start) throws IOException {
        String line = lines.readLine();
        while (!Objects.requireNonNull(line, "the answer ended").startsWith(start)) {
            line = lines.readLine();
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
