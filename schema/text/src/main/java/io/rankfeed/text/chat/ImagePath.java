package io.rankfeed.text.chat;

import java.util.ArrayDeque;
import java.util.Deque;

/** Paths of images, relative to their folder. */
final class ImagePath {
    private ImagePath() {}

    /**
     * The path as the folder lists it: {@code ./a//b/../1.jpg} is {@code a/1.jpg}.
     *
     * @param where the turn, for messages
     * @throws ChatException if it leaves the folder, is absolute, a URI, or names no file
     */
    static String inFolder(String path, String where) throws ChatException {
        if (path.startsWith("/") || path.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
            throw new ChatException(where + " has the image '" + path
                    + "', which is not a path in the folder of images;" + " write it relative to the folder");
        }
        Deque<String> names = new ArrayDeque<>();
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                if (names.pollLast() == null) {
                    throw new ChatException(where + " has the image '" + path + "', which is outside of the folder of"
                            + " images; write it relative to the folder, or name the folder above as the source");
                }
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(name);
            }
        }
        if (names.isEmpty()) {
            throw new ChatException(where + " has the image '" + path + "', which names no file");
        }
        return String.join("/", names);
    }
}
